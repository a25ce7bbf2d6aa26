package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.mastership.ClaimDomain.Claim;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.FencedWrites.Outcomes;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several fenced writes as one operation, on the store's own state machine. */
class FencedWritesTest {
  private static final String TABLE = "net.test";
  private static final Fence EAST = new Fence("east", 1);
  private static final Fence WEST = new Fence("west", 1);

  private final PureStore store = new PureStore(MastershipComponents.all());
  private final long n1 = store.open("n1");

  FencedWritesTest() {
    claim("east", 0);
    claim("west", 0);
  }

  private void claim(String domain, long minimumEpoch) {
    Claim claim = Claim.of(domain, "n1", minimumEpoch, 0);
    assertThat(store.call(n1, ClaimDomain.COMPONENT, claim).node()).isEqualTo("n1");
  }

  @Test
  void operationCountsForTheTableOfItsFirstCall() {
    List<Bytes> calls = List.of(put(EAST, "a", "1"), put(WEST, "b", "2"));
    FencedWrites writes = new FencedWrites();
    assertThat(writes.cause(FencedWrites.COMPONENT.argument().encode(calls))).isEqualTo(TABLE);
    assertThat(writes.cause(FencedWrites.COMPONENT.argument().encode(List.of())))
        .isEqualTo("fenced.writes");
  }

  @Test
  void callWhoseFenceFailsWritesNothingAndItsNeighboursAreWritten() {
    claim("west", 5);
    Outcomes outcomes =
        store.call(
            n1,
            FencedWrites.COMPONENT,
            List.of(put(EAST, "a", "1"), put(WEST, "b", "2"), put(EAST, "c", "3")));
    assertThat(outcomes.refusals().get(0)).isEmpty();
    assertThat(outcomes.refusals().get(1)).contains("fenced: west is in epoch 5, not 1");
    assertThat(outcomes.refusals().get(2)).isEmpty();
    assertThat(value("a")).isEqualTo("1");
    assertThat(value("b")).isEqualTo("none");
    assertThat(value("c")).isEqualTo("3");
    assertThat(FencedWrite.appliedAt(outcomes.reply(0))).hasValue(outcomes.index());
    assertThat(outcomes.reply(1))
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            rejected -> assertThat(rejected.reason()).isEqualTo(Reply.Reason.COMPONENT_REFUSED));
  }

  @Test
  void callWhoseRequirementFailsWritesNothing() {
    Bytes required =
        argument(
            EAST,
            new Write.Require(TABLE, Bytes.utf8("a"), 0),
            new Write.Put(TABLE, Bytes.utf8("b"), Bytes.utf8("late")));
    Outcomes outcomes =
        store.call(n1, FencedWrites.COMPONENT, List.of(put(EAST, "a", "1"), required));
    assertThat(outcomes.refusals().get(1)).contains("has version " + outcomes.index());
    assertThat(value("b")).isEqualTo("none");
  }

  @Test
  void callsTakeEffectInTheirOrder() {
    store.call(
        n1, FencedWrites.COMPONENT, List.of(put(EAST, "a", "first"), put(EAST, "a", "second")));
    assertThat(value("a")).isEqualTo("second");
  }

  @Test
  void whatTheStoreDoesNotTakeRefusesAll() {
    Bytes systemTable = argument(EAST, new Write.Put("sys.mine", Bytes.utf8("k"), Bytes.utf8("v")));
    Reply reply = store.run(n1, FencedWrites.COMPONENT, List.of(put(EAST, "a", "1"), systemTable));
    assertThat(reply).isInstanceOf(Reply.Rejected.class);
    assertThat(value("a")).isEqualTo("none");
  }

  @Test
  void operationHasAsManyCallsAndBytesAsAllowedAndNotOneMore() {
    List<Bytes> most = Collections.nCopies(FencedWrites.MAX_PARTS, put(EAST, "a", "1"));
    assertThat(store.call(n1, FencedWrites.COMPONENT, most).refusals()).containsOnly("");
    List<Bytes> tooMany = Collections.nCopies(FencedWrites.MAX_PARTS + 1, put(EAST, "a", "2"));
    assertThatThrownBy(() -> FencedWrites.COMPONENT.command(tooMany))
        .hasMessageContaining("257 fenced writes");
    Bytes large = put(EAST, "a", "x".repeat(FencedWrites.MAX_BYTES));
    assertThatThrownBy(() -> FencedWrites.COMPONENT.command(List.of(large)))
        .hasMessageContaining("allowed are");
    assertThat(value("a")).isEqualTo("1");
  }

  @Test
  void argumentThatIsCutAnywhereIsRefused() {
    Bytes whole =
        FencedWrites.COMPONENT
            .command(List.of(put(EAST, "a", "1"), put(WEST, "b", "2")))
            .argument();
    for (int length = 0; length < whole.length(); length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole.toArray(), length));
      assertThat(store.run(n1, new Command.Call(FencedWrites.COMPONENT.name(), cut)))
          .isInstanceOf(Reply.Rejected.class);
    }
    assertThat(value("a")).isEqualTo("none");
  }

  private static Bytes put(Fence fence, String key, String value) {
    return argument(fence, new Write.Put(TABLE, Bytes.utf8(key), Bytes.utf8(value)));
  }

  private static Bytes argument(Fence fence, Write... writes) {
    return FencedWrite.command(fence, List.of(writes)).argument();
  }

  private String value(String key) {
    Reply reply = store.run(n1, new Command.Get(TABLE, Bytes.utf8(key)));
    return reply instanceof Reply.Found found ? found.value().toUtf8() : "none";
  }
}
