import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { load } from './load'
import { get, freePort, root, sleep, warmed } from './servers'
import { startProfile } from './profile-process'
import { buildId } from '../scripts/build-id.mjs'
async function main() {
  const port = await freePort()
  const path = process.argv[2] ?? '/'
  const child = spawn('taskset', ['-c','0',process.execPath,'--inspect=0', `${root}/dist/${buildId(root)}/server/main.js`], { cwd: root, env: { PATH: process.env.PATH, HOST:'127.0.0.1', NODE_ENV:'production', OPS_TOKEN:'bench', DATA_DIR: mkdtempSync('/tmp/prof-'), PORT:String(port), LOG_LEVEL: process.argv[3] ?? 'info' }, stdio:['ignore','ignore','pipe'] })
  const inspector = await new Promise<string>((d)=>createInterface({input:child.stderr!}).on('line',(l)=>{const a=/ws:\/\/\S+/.exec(l)?.[0]; if(a)d(a)}))
  for(;;){ const a=await get(port,'/readyz').catch(()=>null); if(a?.status===200)break; await sleep(50)}
  await warmed({port} as never)
  const brotli={ 'Accept-Encoding': 'gzip, deflate, br' }
  for(let i=0;i<40;i++) await get(port,path,brotli)
  await sleep(800)
  console.log(await load({port,path,headers:brotli,seconds:3,connections:32,pid:child.pid!}))
  const stop=await startProfile(inspector)
  console.log(await load({port,path,headers:brotli,seconds:5,connections:32,pid:child.pid!}))
  const f=await stop()
  for(const {name,share} of f.slice(0,40)) console.log(name,(share*100).toFixed(1))
  child.kill('SIGTERM')
}
void main()
