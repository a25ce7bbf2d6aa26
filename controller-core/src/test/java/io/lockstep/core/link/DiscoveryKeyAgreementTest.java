package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.typed.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All nodes end with the key that the store holds, for each kind of answer. */
class DiscoveryKeyAgreementTest {
  private static final DiscoveryKey OTHER =
      new DiscoveryKey(7, new byte[DiscoveryKey.SECRET_BYTES]);

  private final ScriptedStore client = new ScriptedStore();
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
  private final List<Runnable> alarms = new ArrayList<>();
  private final List<DiscoveryKey> agreed = new ArrayList<>();

  @BeforeEach
  void ask() {
    new DiscoveryKeyAgreement(
            Store.sharing(client, loop), new Random(1), (millis, task) -> alarms.add(task))
        .agree(agreed::add);
  }

  @AfterEach
  void stop() {
    loop.shutdownNow();
  }

  private Command.PutIfAbsent asked() {
    return (Command.PutIfAbsent) client.asked.get(0).command();
  }

  private static Bytes encoded(DiscoveryKey key) {
    return DiscoveryKeyAgreement.TABLE.codec().encodeValue(key);
  }

  /** The same is asked again, and only then. */
  private void assertAsksAgain(Command.PutIfAbsent before) {
    assertThat(agreed).isEmpty();
    assertThat(client.asked).isEmpty();
    alarms.remove(0).run();
    assertThat(asked()).isEqualTo(before);
  }

  @Test
  void firstNodeWritesItsKey() {
    Bytes written = asked().value();
    assertThat(asked().table()).isEqualTo("net.discovery");
    assertThat(asked().key()).isEqualTo(Bytes.utf8("lldp"));
    client.answer(new Reply.Applied(3));
    assertThat(agreed).hasSize(1);
    assertThat(encoded(agreed.get(0))).isEqualTo(written);
    assertThat(alarms).isEmpty();
  }

  @Test
  void laterNodeTakesTheKeyThatIsThere() {
    client.answer(new Reply.Conflict(encoded(OTHER), 3));
    assertThat(agreed).containsExactly(OTHER);
    assertThat(alarms).isEmpty();
  }

  @Test
  void nodeWithoutAnAnswerAsksAgainAndTakesWhatItWrote() {
    Command.PutIfAbsent first = asked();
    client.answer(new Reply.Unknown("no quorum"));
    assertAsksAgain(first);
    client.answer(new Reply.Rejected(Reply.Reason.NOT_SENT, "closed"));
    assertAsksAgain(first);
    client.answer(new Reply.Conflict(first.value(), 3));
    assertThat(agreed).hasSize(1);
    assertThat(encoded(agreed.get(0))).isEqualTo(first.value());
  }

  @Test
  void keyThatCannotBeReadIsAskedForAgain() {
    Command.PutIfAbsent first = asked();
    client.answer(new Reply.Conflict(Bytes.utf8("of a later release"), 3));
    assertAsksAgain(first);
    client.answer(new Reply.Applied(4));
    assertThat(agreed).hasSize(1);
  }
}
