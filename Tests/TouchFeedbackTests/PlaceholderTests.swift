import Testing
import TouchFeedback
