import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import type { ConsolePageData } from '../../shared/console/page-data'
import { ConsoleApp } from './ConsoleApp'
import '../styles/tokens.css'
import '../styles/base.css'
import './sign-in.css'

// Without this zod tries to compile functions at run time, which the policy refuses.
z.config({ jitless: true })

const data = document.getElementById('console-data')?.textContent
const container = document.getElementById('console')
if (container && data)
  // Cast: the server wrote the block.
  createRoot(container).render(<ConsoleApp data={JSON.parse(data) as ConsolePageData} />)
