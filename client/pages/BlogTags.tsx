export { ArticleList as Page } from '../components/article/ArticleList'
