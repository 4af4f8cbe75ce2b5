import Reports
import Testing
