export { ArticleList as Page } from '../components/ArticleList'
