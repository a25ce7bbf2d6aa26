package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is applied between the pieces of a snapshot does not get into it. */
class PointInTimeSnapshotTest {
  private static final int SCHEDULES = 3_000;
  private static final HistoryBounds BOUNDS = new HistoryBounds(16, 2_000, 3_000);
  private static final byte[] EMPTY = empty();

  /** Changes many keys; undone where its argument is odd or it meets an undeclared table. */
  private static final MicroComponent SCATTER =
      StoreStateMachineTest.component(
          "scatter",
          (transaction, argument) -> {
            int seed = argument.at(0);
            Random random = new Random(seed);
            for (int i = 0; i < 20; i++) {
              String table = random.nextInt(40) == 0 ? "n" + random.nextInt(20) : table(random);
              if (random.nextInt(3) == 0) {
                transaction.remove(table, key(random));
              } else {
                transaction.put(table, key(random), value(random));
              }
            }
            if ((seed & 1) == 1) {
              throw new MicroComponent.Refusal("undone");
            }
            return Bytes.empty();
          });

  /** A store with nothing but its tables. */
  private static byte[] empty() {
    Replica replica = new Replica(BOUNDS).declare("t0", "t1", "t2", "counts");
    replica.declare(replica.open(600_000), "rows", TableSpec.columns());
    return SnapshotBytes.of(replica.machine);
  }

  private static String table(Random random) {
    return "t" + random.nextInt(3);
  }

  private static Bytes key(Random random) {
    return Bytes.copyOf((byte) random.nextInt(random.nextBoolean() ? 4 : 200));
  }

  private static Bytes value(Random random) {
    return Bytes.wrap(new byte[random.nextInt(random.nextInt(8) == 0 ? 300 : 9)]);
  }

  @Test
  void bytesAreThoseOfTheMomentItBegan() {
    SimulationSeeds.forEach(SCHEDULES, seed -> new Schedule(seed).run());
  }

  private static final class Schedule {
    private final Random random;
    private final Replica replica = new Replica(BOUNDS, SCATTER);
    private final List<Long> sessions = new ArrayList<>();

    Schedule(long seed) {
      random = new Random(seed);
      SnapshotBytes.restore(replica.machine, EMPTY);
      sessions.add(replica.open(600_000));
    }

    void run() throws IOException {
      change(random.nextInt(300));
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        byte[] expected = SnapshotBytes.of(replica.machine);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (StateSnapshot snapshot = replica.machine.snapshot()) {
          int piece = 1 + random.nextInt(random.nextBoolean() ? 40 : 2_000);
          boolean closeEarly = random.nextInt(10) == 0;
          boolean more = true;
          while (more && !(closeEarly && random.nextInt(10) == 0)) {
            change(random.nextInt(6));
            more = snapshot.writeSome(out, piece);
          }
          if (!more) {
            assertThat(out.toByteArray()).isEqualTo(expected);
          }
        }
        change(3);
        StoreStateMachine other = new StoreStateMachine(List.of(), BOUNDS);
        SnapshotBytes.restore(other, expected);
        assertThat(SnapshotBytes.of(other)).isEqualTo(expected);
      }
    }

    private void change(int operations) {
      for (int i = 0; i < operations; i++) {
        replica.nowMillis += random.nextInt(50);
        if (random.nextInt(400) == 0) {
          SnapshotBytes.restore(replica.machine, EMPTY);
          sessions.clear();
        }
        if (sessions.isEmpty() || random.nextInt(30) == 0) {
          sessions.add(replica.open(500 + random.nextInt(5_000)));
        }
        long session = sessions.get(random.nextInt(sessions.size()));
        long operation = random.nextInt(1_000);
        long acknowledged = random.nextInt(20) == 0 ? operation : 0;
        replica.send(session, acknowledged, operation, command(session));
      }
    }

    /** Undone where it writes to an undeclared table or a guard fails. */
    private Command batch() {
      List<Command> commands = new ArrayList<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        String table = random.nextInt(12) == 0 ? "n" + random.nextInt(20) : table(random);
        commands.add(
            random.nextInt(3) == 0
                ? new Command.Remove(table, key(random))
                : new Command.Put(table, key(random), value(random)));
      }
      commands.add(new Command.PutColumns("rows", key(random), columns()));
      return new Command.Batch(List.of(new Command.Guard(table(random), key(random), 0)), commands);
    }

    private Row columns() {
      return Row.of(Map.of(random.nextBoolean() ? "a" : "b", value(random)));
    }

    private Command command(long session) {
      String table = table(random);
      return switch (random.nextInt(20)) {
        case 0 -> new Command.CloseSession(session);
        case 1, 2 -> new Command.Call("scatter", Bytes.copyOf((byte) random.nextInt(100)));
        case 3, 4, 5, 6 -> new Command.Remove(table, key(random));
        case 7 -> new Command.Increment("counts", key(random), 1);
        case 10 -> batch();
        case 11 -> new Command.PutColumns("rows", key(random), columns());
        case 12 -> new Command.RemoveColumns("rows", key(random), List.of("a"));
        case 8 -> new Command.CreateTable("n" + random.nextInt(20), TableSpec.values());
        case 9 -> new Command.PutIfAbsent(table, key(random), value(random));
        default -> new Command.Put(table, key(random), value(random));
      };
    }
  }

  @Test
  void aSecondOneWaitsForTheFirst() {
    Replica replica = new Replica();
    StateSnapshot first = replica.machine.snapshot();
    assertThatThrownBy(replica.machine::snapshot).isInstanceOf(IllegalStateException.class);
    byte[] written = SnapshotBytes.rest(first, 10);
    // Written to its end, it is out of the way even before it is closed.
    assertThat(SnapshotBytes.of(replica.machine)).isEqualTo(written);
    replica.machine.snapshot().close();
    assertThat(SnapshotBytes.of(replica.machine)).isEqualTo(written);
  }

  @Test
  void failedStreamClosesIt() {
    Replica replica = new Replica();
    StateSnapshot snapshot = replica.machine.snapshot();
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("disk full");
          }
        };
    assertThatThrownBy(() -> snapshot.writeSome(full, 10)).hasMessage("disk full");
    assertThatThrownBy(() -> snapshot.writeSome(full, 10))
        .isInstanceOf(IllegalStateException.class);
    replica.machine.snapshot().close();
  }

  @Test
  void keepsAsideOnlyWhatChangesAheadOfIt() {
    Table table = new Tables(HistoryBounds.STANDARD).restore("t", TableSpec.values(), 0);
    for (int i = 0; i < 10; i++) {
      table.restore(new Entry(Counters.bytesOf(i), Bytes.empty(), 1));
    }
    TableImage image = new TableImage(table);
    var out = new io.lockstep.store.codec.ByteWriter();
    image.resume();
    for (int i = 0; i < 4; i++) {
      image.writeNext(out); // the head and the keys 0 to 2
    }
    table.put(Counters.bytesOf(2), Bytes.empty(), 2);
    assertThat(image.kept()).isZero();
    table.put(Counters.bytesOf(3), Bytes.empty(), 2);
    table.put(Counters.bytesOf(3), Bytes.empty(), 3);
    table.put(Counters.bytesOf(99), Bytes.empty(), 3);
    assertThat(table.remove(Counters.bytesOf(50), 4)).isEqualTo(new Reply.Absent());
    assertThat(image.kept()).isEqualTo(2);
    image.release();
    table.put(Counters.bytesOf(5), Bytes.empty(), 4);
    assertThat(image.kept()).isZero();
  }
}
