import Testing
import TouchModel

@testable import TouchgridDaemon
@testable import Varlink

@Suite struct FollowersTests {
  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(microseconds: milliseconds * 1000)
  }

  @Test func `A follower's name holds for two seconds after it disconnects`() {
    var followers = Followers()
    let (one, other) = (ConnectionID(token: 1), ConnectionID(token: 2))
    followers.add(one)
    followers.add(one)
    followers.add(other)
    #expect(followers.count == 2 && followers.nextDeadline == nil)
    followers.remove(ConnectionID(token: 3), at: time(0))
    #expect(followers.nextDeadline == nil, "the client was not a follower")
    followers.remove(one, at: time(500))
    followers.remove(one, at: time(900))
    followers.remove(other, at: time(1000))
    #expect(followers.count == 0 && followers.nextDeadline == time(2500))
    #expect(followers.takeDue(at: time(2499)).isEmpty)
    #expect(followers.takeDue(at: time(2500)) == [one])
    #expect(followers.nextDeadline == time(3000))
    #expect(followers.takeDue(at: time(9000)) == [other])
    #expect(followers.nextDeadline == nil)
  }
}
