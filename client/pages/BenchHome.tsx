/** The benchmark's home page; see bench/README.md. */
export { BenchHome as Page } from '../../bench/pages/bench-pages'
