import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { version } from 'react'
import { version as domVersion } from 'react-dom'
import { afterEach } from 'vitest'

// A run that was meant for React 18 must not pass because it silently used another one.
if (process.env.REACT_18_DIR !== undefined && !(version.startsWith('18.') && domVersion.startsWith('18.'))) {
  throw new Error(`Expected React 18 from REACT_18_DIR, got react ${version} and react-dom ${domVersion}.`)
}

// Testing Library does this by itself only where the test functions are globals.
afterEach(cleanup)
