export { LandingPage as Page } from '../components/landing/LandingPage'
