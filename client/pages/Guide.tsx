export { SectionsPage as Page } from '../components/SectionsPage'
