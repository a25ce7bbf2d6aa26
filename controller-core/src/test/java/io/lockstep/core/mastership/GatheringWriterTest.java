package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

class GatheringWriterTest {
  private static final DeviceId SWITCH = SwitchPort.device(1);
  private static final DeviceId ELSEWHERE = SwitchPort.device(2);

  private final ScriptedStore store = new ScriptedStore();
  private final GatheringWriter writer =
      new GatheringWriter(store, device -> device.equals(SWITCH) ? new Fence("east", 1) : null);

  private CompletableFuture<Reply> write(int number) {
    return write(Bytes.wrap(new byte[] {(byte) number}));
  }

  private CompletableFuture<Reply> write(Bytes value) {
    return writer.write(SWITCH, List.of(new Write.Put("net.test", Bytes.utf8("k"), value)));
  }

  private List<CompletableFuture<Reply>> write(int first, int count) {
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(write(first + i));
    }
    return replies;
  }

  private static Reply applied(long index) {
    return new Reply.Returned(FencedWrite.COMPONENT.result().encode(index));
  }

  private static Reply outcomes(long index, List<String> refusals) {
    return new Reply.Returned(
        FencedWrites.COMPONENT.result().encode(new FencedWrites.Outcomes(index, refusals)));
  }

  /** How many writes each operation on its way has. */
  private List<Integer> sent() {
    return store.asked.stream()
        .map(
            asked -> {
              Command.Call call = (Command.Call) asked.command();
              return call.component().equals("fenced.write")
                  ? 1
                  : FencedWrites.COMPONENT.argument().decode(call.argument()).size();
            })
        .toList();
  }

  @Test
  void fewWritesGoAtOnceAndWhatComesMeanwhileGoesTogether() {
    List<CompletableFuture<Reply>> replies = write(0, 30);
    assertThat(sent()).containsExactly(1, 1, 1, 1);
    store.answer(applied(7));
    assertThat(replies.get(0).join()).isEqualTo(applied(7));
    assertThat(sent()).containsExactly(1, 1, 1, 26);
    store.answer(applied(8));
    store.answer(applied(9));
    store.answer(applied(10));
    store.answer(outcomes(11, Collections.nCopies(26, "")));
    assertThat(replies.subList(4, 30))
        .allSatisfy(reply -> assertThat(reply.join()).isEqualTo(applied(11)));
    assertThat(store.asked).isEmpty();
  }

  @Test
  void refusedWriteDoesNotFailItsNeighbours() {
    List<CompletableFuture<Reply>> replies = write(0, 7);
    store.answer(applied(1));
    store.asked.get(3).reply().complete(outcomes(2, List.of("", "fenced", "")));
    assertThat(replies.get(4).join()).isEqualTo(applied(2));
    assertThat(replies.get(5).join())
        .isEqualTo(new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, "fenced"));
    assertThat(replies.get(6).join()).isEqualTo(applied(2));
  }

  @Test
  void writesOfAnOperationThatTheStoreDoesNotTakeGoOneByOne() {
    List<CompletableFuture<Reply>> replies = write(0, 6);
    store.answer(applied(1));
    Reply noRoom = new Reply.Rejected(Reply.Reason.NO_ROOM, "full");
    store.asked.get(3).reply().complete(noRoom);
    assertThat(replies.get(4)).isNotDone();
    assertThat(sent().subList(4, 6)).containsExactly(1, 1);
    store.asked.get(4).reply().complete(noRoom);
    store.asked.get(5).reply().complete(applied(3));
    assertThat(replies.get(4).join()).isEqualTo(noRoom);
    assertThat(replies.get(5).join()).isEqualTo(applied(3));
  }

  @Test
  void outcomeOfAnOperationThatIsUnknownIsUnknownForItsWrites() {
    List<CompletableFuture<Reply>> replies = write(0, 6);
    store.answer(applied(1));
    Reply unknown = new Reply.Unknown("no answer came");
    store.asked.get(3).reply().complete(unknown);
    assertThat(replies.get(4).join()).isEqualTo(unknown);
    assertThat(replies.get(5).join()).isEqualTo(unknown);
    List<CompletableFuture<Reply>> failing = write(6, 3);
    store.asked.get(4).reply().completeExceptionally(new IllegalStateException("lost"));
    assertThat(failing.get(0)).isCompletedExceptionally();
    store.answer(applied(2));
    assertThat(failing.get(2)).as("others go on").isNotDone();
  }

  @Test
  void operationsAreBoundedInNumberAndBytes() {
    List<CompletableFuture<Reply>> unused = write(0, 4 + FencedWrites.MAX_PARTS + 1);
    store.answer(applied(1));
    store.answer(applied(2));
    assertThat(sent()).containsExactly(1, 1, FencedWrites.MAX_PARTS, 1);
    Bytes large = Bytes.wrap(new byte[FencedWrites.MAX_BYTES / 2]);
    for (int i = 0; i < 3; i++) {
      unused.add(write(large));
    }
    store.answer(applied(3));
    store.answer(applied(4));
    assertThat(sent()).containsExactly(FencedWrites.MAX_PARTS, 1, 1, 1);
  }

  @Test
  void whatWaitsIsBoundedInNumberAndBytes() {
    List<CompletableFuture<Reply>> waiting = write(0, 4 + GatheredCalls.MAX_WAITING);
    assertThat(waiting.get(waiting.size() - 1)).isNotDone();
    assertThat(write(1).join())
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            rejected -> assertThat(rejected.reason()).isEqualTo(Reply.Reason.NOT_SENT));
    store.answer(applied(1));
    assertThat(write(1)).isNotDone();
    GatheringWriter other = new GatheringWriter(store, device -> new Fence("east", 1));
    Bytes large = Bytes.wrap(new byte[1 << 20]);
    List<Write> writes = List.of(new Write.Put("net.test", Bytes.utf8("k"), large));
    for (int i = 0; i < GatheredCalls.MAX_ON_THEIR_WAY + 7; i++) {
      assertThat(other.write(SWITCH, writes)).isNotDone();
    }
    assertThat(other.write(SWITCH, writes)).isDone();
  }

  @Test
  void switchThatIsMasteredElsewhereIsNotWritten() {
    assertThat(writer.write(ELSEWHERE, List.of()).join()).isInstanceOf(Reply.Rejected.class);
    assertThat(store.asked).isEmpty();
  }
}
