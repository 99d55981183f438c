import type { Preview } from '@storybook/react-vite'
import '../src/styles.css'
import '../stories/stories.css'

const preview: Preview = {
  // A page for each file of stories, with all of them below each other.
  tags: ['autodocs'],
  // An accessibility violation fails the test run of a story, not only its panel.
  parameters: { a11y: { test: 'error' } },
}

export default preview
