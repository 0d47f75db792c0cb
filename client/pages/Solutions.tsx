export { LandingList as Page } from '../components/landing/LandingList'
