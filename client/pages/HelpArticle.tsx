export { ArticlePage as Page } from '../components/ArticlePage'
