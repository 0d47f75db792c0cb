export { LandingList as Page } from '../components/LandingList'
