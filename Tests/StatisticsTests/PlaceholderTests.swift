import Statistics
import Testing
