import { LandingScreen } from '#web/screens/parts/landing-screen.tsx'

export const Component = () => <LandingScreen kind="model" />
