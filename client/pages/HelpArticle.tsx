export { ArticlePage as Page } from '../components/article/ArticlePage'
