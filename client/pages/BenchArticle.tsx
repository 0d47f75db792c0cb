/** The benchmark's article; see bench/README.md. */
export { BenchArticle as Page } from '../../bench/pages/bench-pages'
