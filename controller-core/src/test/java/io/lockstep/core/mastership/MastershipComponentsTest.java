package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.mastership.ClaimDomain.Claim;
import io.lockstep.core.mastership.DelegateSwitch.Change;
import io.lockstep.core.mastership.HandOverDomain.Transfer;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of mastership, on the store's own state machine. */
class MastershipComponentsTest {
  private static final DelegationTable DELEGATIONS = new DelegationTable();

  private final PureStore store = new PureStore(MastershipComponents.all());
  private final long n1 = store.open("n1");
  private final long n2 = store.open("n2");

  @Test
  void theFirstClaimIsGrantedInEpochOne() {
    DomainRecord east = claim(n1, "n1", 0);
    assertThat(east.node()).isEqualTo("n1");
    assertThat(east.sessionId()).isEqualTo(n1);
    assertThat(east.epoch()).isEqualTo(1);
  }

  @Test
  void aLivingMasterIsNotReplacedAndClaimsAgainWithoutEffect() {
    DomainRecord first = claim(n1, "n1", 0);
    assertThat(claim(n2, "n2", 0)).isEqualTo(first);
    assertThat(claim(n2, "n2", 99)).isEqualTo(first);
    assertThat(claim(n1, "n1", 0)).isEqualTo(first);
  }

  @Test
  void theEpochGrowsByOneWithEachNewMaster() {
    claim(n1, "n1", 0);
    store.close(n1);
    assertThat(claim(n2, "n2", 0).epoch()).isEqualTo(2);
    store.close(n2);
    long again = store.open("n1");
    DomainRecord third = claim(again, "n1", 0);
    assertThat(third.epoch()).isEqualTo(3);
    assertThat(third.sessionId()).isEqualTo(again);
  }

  @Test
  void theMasterRaisesItsEpochAboveAnotherGenerationAndNeverLowersIt() {
    claim(n1, "n1", 0);
    assertThat(claim(n1, "n1", 42).epoch()).isEqualTo(42);
    assertThat(claim(n1, "n1", 7).epoch()).isEqualTo(42);
    store.close(n1);
    assertThat(claim(n2, "n2", 7).epoch()).isEqualTo(43);
  }

  @Test
  void anEpochNearTheEndOfTheGenerationIdsIsRefused() {
    claim(n1, "n1", 0);
    assertRefused(
        store.run(n1, ClaimDomain.COMPONENT, Claim.of("east", "n1", DomainRecord.MAX_EPOCH, 0)));
    assertRefused(store.run(n1, ClaimDomain.COMPONENT, Claim.of("east", "n1", -5, 0)));
    assertThat(claim(n1, "n1", 0).epoch()).isEqualTo(1);
  }

  @Test
  void aFencedWriteIsAppliedForTheMasterInItsEpochOnly() {
    claim(n1, "n1", 0);
    Fence fence = new Fence("east", 1);
    assertThat(write(n1, fence, "a")).isInstanceOf(Reply.Returned.class);
    assertRefused(write(n2, fence, "b"));
    claim(n1, "n1", 5);
    assertRefused(write(n1, fence, "c"));
    assertRefused(write(n1, new Fence("west", 1), "d"));
    assertThat(value(n1)).isEqualTo("a");
    assertThat(write(n1, new Fence("east", 5), "e")).isInstanceOf(Reply.Returned.class);
    assertThat(value(n1)).isEqualTo("e");
  }

  @Test
  void aReplacedMasterCannotWrite() {
    claim(n1, "n1", 0);
    store.close(n1);
    claim(n2, "n2", 0);
    long back = store.open("n1");
    assertRefused(write(back, new Fence("east", 1), "late"));
    assertRefused(write(back, new Fence("east", 2), "guessed"));
    assertThat(store.run(n2, new Command.Get("net.test", Bytes.utf8("k"))))
        .isEqualTo(new Reply.Absent());
  }

  @Test
  void aFencedWriteIsAllOrNothing() {
    claim(n1, "n1", 0);
    Reply reply =
        store.run(
            n1,
            FencedWrite.command(
                new Fence("east", 1),
                List.of(
                    new FencedWrite.Write.Put("net.test", Bytes.utf8("k"), Bytes.utf8("v")),
                    new FencedWrite.Write.Put("sys.mine", Bytes.utf8("k"), Bytes.utf8("v")))));
    assertThat(reply).isInstanceOf(Reply.Rejected.class);
    assertThat(store.run(n1, new Command.Get("net.test", Bytes.utf8("k"))))
        .isEqualTo(new Reply.Absent());
  }

  @Test
  void aFencedWriteIsRefusedWhereAnEntryChangedSinceItWasDecidedOn() {
    claim(n1, "n1", 0);
    long seen = FencedWrite.appliedAt(write(n1, new Fence("east", 1), "seen")).orElseThrow();
    assertThat(writeWhere("k", seen, "decided on it")).isInstanceOf(Reply.Returned.class);
    assertRefused(writeWhere("k", seen, "decided on it before"));
    assertThat(value(n1)).isEqualTo("decided on it");
  }

  @Test
  void aFencedWriteMayRequireThatThereIsNoEntry() {
    claim(n1, "n1", 0);
    assertThat(writeWhere("other", 0, "alone")).isInstanceOf(Reply.Returned.class);
    assertRefused(writeWhere("k", 0, "not alone"));
    assertRefused(writeWhere("other", 7, "there is none"));
    assertThat(value(n1)).isEqualTo("alone");
  }

  /** Calls without requirements are what earlier releases read, byte for byte. */
  @Test
  void aFencedWriteWithoutRequirementsHasTheFirstFormat() {
    Bytes key = Bytes.utf8("k");
    List<FencedWrite.Write> plain = List.of(new FencedWrite.Write.Remove("t", key));
    List<FencedWrite.Write> requires =
        List.of(new FencedWrite.Write.Require("t", key, 3), new FencedWrite.Write.Remove("t", key));
    Fence fence = new Fence("e", 2);
    assertThat(argument(fence, plain))
        .containsExactly(1, 1, 'e', 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 1, 't', 1, 'k');
    byte[] format2 = argument(fence, requires);
    assertThat(format2[0]).isEqualTo((byte) 2);
    claim(n1, "n1", 0);
    for (int length = 0; length < format2.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(format2, length));
      assertThat(store.run(n1, new Command.Call(FencedWrite.COMPONENT.name(), cut)))
          .isInstanceOf(Reply.Rejected.class);
    }
  }

  private static byte[] argument(Fence fence, List<FencedWrite.Write> writes) {
    return FencedWrite.command(fence, writes).argument().shared();
  }

  private Reply writeWhere(String key, long version, String value) {
    return store.run(
        n1,
        FencedWrite.command(
            new Fence("east", 1),
            List.of(
                new FencedWrite.Write.Put("net.test", Bytes.utf8("k"), Bytes.utf8(value)),
                new FencedWrite.Write.Require("net.test", Bytes.utf8(key), version))));
  }

  private static Command transfer(Fence fence, String node, long sessionId) {
    return HandOverDomain.COMPONENT.command(Transfer.to(fence, node, sessionId));
  }

  private static DomainRecord transferred(Reply reply) {
    return HandOverDomain.COMPONENT.result().decode(((Reply.Returned) reply).result());
  }

  @Test
  void onlyTheMasterHandsADomainOverAndOnlyToTheLiving() {
    claim(n1, "n1", 0);
    Fence fence = new Fence("east", 1);
    assertRefused(store.run(n2, transfer(fence, "n2", n2)));
    assertRefused(store.run(n1, transfer(fence, "n3", 999)));
    Reply reply = store.run(n1, transfer(fence, "n2", n2));
    DomainRecord now = transferred(reply);
    assertThat(now.node()).isEqualTo("n2");
    assertThat(now.epoch()).isEqualTo(2);
    assertRefused(store.run(n1, transfer(fence, "n2", n2)));
    assertRefused(write(n1, fence, "late"));
  }

  @Test
  void aReleasedDomainGoesToWhoeverClaimsItFirst() {
    claim(n1, "n1", 0);
    Reply reply = store.run(n1, HandOverDomain.COMPONENT, Transfer.release(new Fence("east", 1)));
    assertThat(transferred(reply).released()).isTrue();
    assertRefused(write(n1, new Fence("east", 2), "late"));
    assertThat(claim(n2, "n2", 0).epoch()).isEqualTo(3);
  }

  @Test
  void theGenerationIdsOfADelegatedSwitchAlwaysGrow() {
    claim(n1, "n1", 0);
    Fence domain = new Fence("east", 1);
    assertReturned(store.run(n1, DelegateSwitch.COMPONENT, Change.delegate(domain, 17, "n2", n2)));
    assertThat(delegation()).isEqualTo(new DelegationRecord("east", "n2", n2, 2));
    Fence delegated = new Fence("of:0000000000000011", 2);
    assertThat(write(n2, delegated, "x")).isInstanceOf(Reply.Returned.class);
    assertRefused(write(n1, delegated, "y"));

    assertReturned(store.run(n2, DelegateSwitch.COMPONENT, Change.raise(delegated, 50)));
    assertThat(delegation().epoch()).isEqualTo(50);
    assertRefused(write(n2, delegated, "z"));

    assertRefused(store.run(n2, DelegateSwitch.COMPONENT, Change.recall(domain, 17)));
    assertReturned(store.run(n1, DelegateSwitch.COMPONENT, Change.recall(domain, 17)));
    assertThat(claim(n1, "n1", 0).epoch()).isEqualTo(51);
    assertRefused(write(n2, new Fence("of:0000000000000011", 50), "late"));
  }

  @Test
  void aRecallOfWhatIsNotDelegatedChangesNothing() {
    claim(n1, "n1", 0);
    assertReturned(
        store.run(n1, DelegateSwitch.COMPONENT, Change.recall(new Fence("east", 1), 17)));
    assertThat(claim(n1, "n1", 0).epoch()).isEqualTo(1);
  }

  private DomainRecord claim(long session, String node, long minimumEpoch) {
    return store.call(session, ClaimDomain.COMPONENT, Claim.of("east", node, minimumEpoch, 0));
  }

  private Reply write(long session, Fence fence, String value) {
    return store.run(
        session,
        FencedWrite.command(
            fence,
            List.of(
                new FencedWrite.Write.Put("net.test", Bytes.utf8("k"), Bytes.utf8(value)),
                new FencedWrite.Write.Remove("net.test", Bytes.utf8("gone")))));
  }

  private String value(long session) {
    Reply reply = store.run(session, new Command.Get("net.test", Bytes.utf8("k")));
    return ((Reply.Found) reply).value().toUtf8();
  }

  private DelegationRecord delegation() {
    Reply reply = store.run(n1, new Command.Get(DelegationTable.NAME, DELEGATIONS.encodeKey(17L)));
    return DELEGATIONS.decodeValue(((Reply.Found) reply).value());
  }

  private static void assertReturned(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Returned.class);
  }

  private static void assertRefused(Reply reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            rejected -> assertThat(rejected.reason()).isEqualTo(Reply.Reason.COMPONENT_REFUSED));
  }
}
