import Testing
import TouchTracks
