package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.mastership.AssignSwitches.Assignment;
import io.lockstep.core.mastership.AssignSwitches.Request;
import io.lockstep.core.mastership.AssignSwitches.Result;
import io.lockstep.core.mastership.ClaimDomain.Claim;
import io.lockstep.core.mastership.HandOverDomain.Transfer;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteWriter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Switches with epochs of their own, on the store's own state machine. */
class AssignSwitchesTest {
  private static final DelegationTable DELEGATIONS = new DelegationTable();
  private static final Fence EAST = new Fence("east", 1);

  private final PureStore store = new PureStore(MastershipComponents.all());
  private final long n1 = store.open("n1");
  private final long n2 = store.open("n2");
  private final long n3 = store.open("n3");

  AssignSwitchesTest() {
    assertThat(claim(n1, "n1", 0).epoch()).isEqualTo(1);
  }

  @Test
  void oneCallHandsSwitchesToSeveralNodesAndLeavesTheEpochOfTheDomain() {
    assertThat(assign(to(17, "n2", n2), to(18, "n3", n3), to(19, "n2", n2)).refused()).isZero();
    assertThat(record(17)).isEqualTo(new DelegationRecord("east", "n2", n2, 2));
    assertThat(record(18)).isEqualTo(new DelegationRecord("east", "n3", n3, 2));
    assertThat(record(19)).isEqualTo(new DelegationRecord("east", "n2", n2, 2));
    assertReturned(write(n1, EAST));
    assertReturned(write(n2, new Fence(SwitchScope.name(17), 2)));
    assertRefused(write(n1, new Fence(SwitchScope.name(17), 2)), "mastered by session");
  }

  /** The generation ids of those that moved grow; the others keep theirs. */
  @Test
  void oneCallTakesAllSwitchesBackAndLeavesTheEpochOfTheDomain() {
    assign(to(17, "n2", n2), to(18, "n2", n2));
    assertThat(assign(to(17, "n1", n1), to(18, "n1", n1)).refused()).isZero();
    assertThat(record(17)).isEqualTo(new DelegationRecord("east", "n1", n1, 3));
    assertThat(record(18)).isEqualTo(new DelegationRecord("east", "n1", n1, 3));
    assertRefused(write(n2, new Fence(SwitchScope.name(17), 2)), "is in epoch 3");
    assertReturned(write(n1, new Fence(SwitchScope.name(17), 3)));
    assertReturned(write(n1, EAST));
  }

  @Test
  void switchWhoseNewNodeHasEndedStaysAndItsNeighboursGo() {
    store.close(n3);
    Result result = assign(to(17, "n2", n2), to(18, "n3", n3), to(19, "n2", n2));
    assertThat(result.refused()).isEqualTo(1);
    assertThat(record(17)).isNotNull();
    assertThat(record(18)).isNull();
    assertThat(record(19)).isNotNull();
  }

  @Test
  void callThatIsRepeatedChangesNothing() {
    assign(to(17, "n2", n2));
    assertThat(assign(to(17, "n2", n2)).refused()).isZero();
    assertThat(record(17)).isEqualTo(new DelegationRecord("east", "n2", n2, 2));
  }

  @Test
  void epochOfASwitchIsAboveAllThatItHadBefore() {
    assign(to(17, "n2", n2));
    Fence delegated = new Fence(SwitchScope.name(17), 2);
    assertReturned(
        store.run(n2, DelegateSwitch.COMPONENT, DelegateSwitch.Change.raise(delegated, 50)));
    assign(to(17, "n1", n1));
    assertThat(epoch(17)).isEqualTo(51);
    claim(n1, "n1", 90);
    assertThat(assign(new Fence("east", 90), to(17, "n3", n3)).refused()).isZero();
    assertThat(epoch(17)).isEqualTo(91);
  }

  @Test
  void switchHasTheDomainsEpochAgainOnlyWhenThatIsAboveItsOwn() {
    assign(to(17, "n1", n1), to(18, "n2", n2));
    assertThat(assign(Assignment.toDomain(17)).refused()).isEqualTo(1);
    assertThat(epoch(17)).isEqualTo(2);
    claim(n1, "n1", 3);
    Fence third = new Fence("east", 3);
    assertThat(assign(third, Assignment.toDomain(17)).refused()).isZero();
    assertThat(record(17)).isNull();
    assertThat(assign(third, Assignment.toDomain(17)).refused()).isZero();
    assertThat(assign(third, Assignment.toDomain(18)).refused()).as("n2 acts on it").isEqualTo(1);
    store.close(n2);
    assertThat(assign(third, Assignment.toDomain(18)).refused()).isZero();
    assertThat(record(18)).isNull();
  }

  @Test
  void onlyTheMasterOfTheDomainAssignsInItsEpoch() {
    Request request = new Request(EAST, List.of(to(17, "n2", n2)));
    assertRefused(store.run(n2, AssignSwitches.COMPONENT, request), "mastered by session");
    claim(n1, "n1", 5);
    assertRefused(store.run(n1, AssignSwitches.COMPONENT, request), "is in epoch 5");
    assign(new Fence("east", 5), to(17, "n2", n2));
    Fence delegated = new Fence(SwitchScope.name(17), 6);
    Request byDelegate = new Request(delegated, List.of(to(18, "n2", n2)));
    assertRefused(store.run(n2, AssignSwitches.COMPONENT, byDelegate), "not a domain");
    assertThat(record(18)).isNull();
  }

  @Test
  void callHasAsManySwitchesAsAllowedAndNotOneMore() {
    Assignment[] most =
        LongStream.range(0, AssignSwitches.MAX_SWITCHES)
            .mapToObj(dpid -> to(dpid, "n2", n2))
            .toArray(Assignment[]::new);
    assertThat(assign(most).refused()).isZero();
    assertThat(epoch(AssignSwitches.MAX_SWITCHES - 1)).isEqualTo(2);
    List<Assignment> tooMany =
        LongStream.rangeClosed(0, AssignSwitches.MAX_SWITCHES)
            .mapToObj(dpid -> to(dpid, "n3", n3))
            .toList();
    assertThatThrownBy(() -> new Request(EAST, tooMany)).hasMessageContaining("1025 switches");
    ByteWriter hostile = new ByteWriter().int8(1).utf8("east").int64(1).varint(tooMany.size());
    tooMany.forEach(one -> hostile.int64(one.dpid()).utf8(one.node()).int64(one.sessionId()));
    assertRefused(call(AssignSwitches.COMPONENT.name(), hostile.toBytes()), "failed");
    assertThat(epoch(0)).isEqualTo(2);
  }

  @Test
  void argumentThatIsCutAnywhereIsRefused() {
    Bytes whole =
        AssignSwitches.COMPONENT
            .command(new Request(EAST, List.of(to(17, "n2", n2), to(18, "n2", n2))))
            .argument();
    for (int length = 0; length < whole.length(); length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole.toArray(), length));
      assertRefused(call(AssignSwitches.COMPONENT.name(), cut), "failed");
    }
    assertThat(record(17)).isNull();
    assertReturned(call(AssignSwitches.COMPONENT.name(), whole));
  }

  /** What earlier releases wrote into logs: one switch is handed over, then taken back. */
  @Test
  void firstFormatOfDelegationsIsCarriedOutAsBefore() {
    String session = HexFormat.of().toHexDigits(n2);
    Bytes handOver = hex("01" + "0465617374" + epoch1() + "0000000000000011" + "026e32" + session);
    assertReturned(call("mastership.delegate", handOver));
    assertThat(record(17)).isEqualTo(new DelegationRecord("east", "n2", n2, 2));
    Bytes recall =
        hex("01" + "0465617374" + epoch1() + "0000000000000011" + "00" + "0000000000000000");
    assertReturned(call("mastership.delegate", recall));
    assertThat(record(17)).isNull();
    assertThat(claim(n1, "n1", 0).epoch()).as("of the whole domain").isEqualTo(3);
  }

  @Test
  void nextMasterOfTheDomainHasTheSwitchesThatWereTakenBack() {
    assign(to(17, "n2", n2), to(18, "n3", n3));
    assign(to(17, "n1", n1));
    DomainRecord now = store.call(n1, HandOverDomain.COMPONENT, Transfer.to(EAST, "n2", n2));
    assertThat(now.epoch()).isEqualTo(4);
    assertThat(record(17)).isNull();
    assertThat(record(18)).as("n3 acts on it").isNotNull();
    assertRefused(write(n1, new Fence(SwitchScope.name(17), 3)), "is not delegated");
    assertReturned(write(n2, new Fence("east", 4)));
  }

  @Test
  void handOverOfTheFirstFormatLeavesThemWithTheOldMaster() {
    assign(to(17, "n2", n2));
    assign(to(17, "n1", n1));
    String session = HexFormat.of().toHexDigits(n2);
    Reply reply =
        call("mastership.transfer", hex("01" + "0465617374" + epoch1() + "026e32" + session));
    assertReturned(reply);
    assertThat(epoch(17)).isEqualTo(3);
    assertReturned(write(n2, new Fence("east", 2)));
  }

  private static String epoch1() {
    return "0000000000000001";
  }

  private static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits));
  }

  private static Assignment to(long dpid, String node, long session) {
    return new Assignment(dpid, node, session);
  }

  private Result assign(Assignment... switches) {
    return assign(EAST, switches);
  }

  private Result assign(Fence fence, Assignment... switches) {
    return store.call(n1, AssignSwitches.COMPONENT, new Request(fence, List.of(switches)));
  }

  private Reply call(String component, Bytes argument) {
    return store.run(n1, new Command.Call(component, argument));
  }

  private DomainRecord claim(long session, String node, long minimumEpoch) {
    return store.call(session, ClaimDomain.COMPONENT, Claim.of("east", node, minimumEpoch, 0));
  }

  private Reply write(long session, Fence fence) {
    return store.run(
        session,
        FencedWrite.command(
            fence,
            List.of(new FencedWrite.Write.Put("net.test", Bytes.utf8("k"), Bytes.utf8("v")))));
  }

  private long epoch(long dpid) {
    DelegationRecord record = record(dpid);
    return record == null ? -1 : record.epoch();
  }

  private @Nullable DelegationRecord record(long dpid) {
    Reply reply = store.run(n1, new Command.Get(DelegationTable.NAME, DELEGATIONS.encodeKey(dpid)));
    return reply instanceof Reply.Found found ? DELEGATIONS.decodeValue(found.value()) : null;
  }

  private static void assertReturned(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Returned.class);
  }

  private static void assertRefused(Reply reply, String why) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            rejected -> {
              assertThat(rejected.reason()).isEqualTo(Reply.Reason.COMPONENT_REFUSED);
              assertThat(rejected.message()).contains(why);
            });
  }
}
