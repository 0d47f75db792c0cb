export { SectionsPage as Page } from '../components/landing/SectionsPage'
