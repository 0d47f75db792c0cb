export { LandingPage as Page } from '../components/LandingPage'
