import type { Preview } from '@storybook/react-vite'
import '../src/styles.css'
import '../stories/stories.css'

const preview: Preview = {
  // An accessibility violation fails the test run of a story, not only its panel.
  parameters: { a11y: { test: 'error' } },
}

export default preview
