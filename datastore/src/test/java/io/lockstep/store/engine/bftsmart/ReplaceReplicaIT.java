package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import io.lockstep.store.machine.ReplacedMachines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/adr/0044 over real sockets: a machine is replaced under load, and then comes back. */
@Timeout(300)
class ReplaceReplicaIT {
  private static final String CLUSTER = "replace";
  private static final int INCARNATION = 5;

  @TempDir private Path temp;

  private final List<Member> first = ReplicaPorts.members(3);
  private final Member newcomer;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private final BitSet acknowledged = new BitSet();
  private final AtomicInteger next = new AtomicInteger(1);

  /** A machine of this test. */
  private record Machine(BftSmartReplica replica, RecordingService service) {}

  ReplaceReplicaIT() throws IOException {
    Member elsewhere = ReplicaPorts.members(4).get(3);
    newcomer = new Member(2, "127.0.0.1", elsewhere.port(), "", INCARNATION);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private Machine start(int id, List<Member> members, Path directory) throws IOException {
    Files.createDirectories(directory);
    RecordingService service = new RecordingService();
    BftSmartReplica replica =
        BftSmartReplica.start(
            ReplicaConfig.of(CLUSTER, id, members),
            service,
            onFailure -> log(id, directory),
            why -> ended.add("halt: " + why),
            ended::add);
    open.add(0, replica);
    return new Machine(replica, service);
  }

  private static DecisionLog log(int id, Path directory) throws IOException {
    return DiskLog.open(
        FileStorage.open(directory),
        new Identity(CLUSTER, id),
        new DiskLogOptions(
            256 << 10, 16 << 10, 4 << 20, 16 << 20, 64 << 10, 0, new SecureRandom()::nextLong),
        failure -> {});
  }

  private void awaitOperational(Machine... machines) {
    Await.until(
        Duration.ofSeconds(60),
        () -> List.of(machines) + " " + ended,
        () ->
            List.of(machines).stream()
                .allMatch(
                    one ->
                        one.replica.status().phase() == Phase.OPERATIONAL
                            && one.replica.status().quorum()));
  }

  /** Writes until stopped, one after the other. */
  private final class Writer extends Thread {
    private final BftSmartClient client;
    private volatile boolean stops;
    private final AtomicInteger written = new AtomicInteger();

    Writer(BftSmartClient client) {
      this.client = client;
    }

    @Override
    public void run() {
      while (!stops) {
        int id = next.getAndIncrement();
        try {
          client.submit(ByteBuffer.allocate(4).putInt(id).array()).get(60, TimeUnit.SECONDS);
          acknowledged.set(id);
          written.incrementAndGet();
        } catch (ExecutionException | TimeoutException unknown) {
          // Not acknowledged: it may be there or not.
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    void awaitMore(int count) {
      int until = written.get() + count;
      Await.until(Duration.ofSeconds(60), () -> "writes: " + written, () -> written.get() >= until);
    }
  }

  @Test
  void machineIsReplacedUnderLoadAndNeverComesBack() throws Exception {
    Machine zero = start(0, first, temp.resolve("0"));
    Machine one = start(1, first, temp.resolve("1"));
    Machine two = start(2, first, temp.resolve("2"));
    awaitOperational(zero, one, two);
    BftSmartClient client = BftSmartClient.connect(ClientConfig.of(CLUSTER, first, 1));
    open.add(0, client);
    Writer writer = new Writer(client);
    writer.start();
    writer.awaitMore(200);

    ReplacedMachines change =
        ReplacedMachines.NONE.replace(3, 2, newcomer.host(), newcomer.port(), INCARNATION);
    byte[] request = RecordingService.change(next.getAndIncrement(), change);
    client.submit(request).get(60, TimeUnit.SECONDS);
    // The machine runs, so it learns of its replacement by itself.
    Await.until(
        Duration.ofSeconds(60),
        () -> ended.toString(),
        () -> ended.stream().anyMatch(why -> why.contains("has been replaced by incarnation")));
    two.replica.close();
    writer.awaitMore(200);
    assertThat(zero.replica.machines().incarnation(2)).isEqualTo(INCARNATION);

    List<Member> present = List.of(first.get(0), first.get(1), newcomer);
    Machine machine = start(2, present, temp.resolve("new"));
    awaitOperational(zero, one, machine);
    client.moved(zero.replica.machines());
    writer.awaitMore(200);

    ended.clear();
    Machine back = start(2, first, temp.resolve("2"));
    Await.until(
        Duration.ofSeconds(60),
        () -> "the old machine goes on: " + ended,
        () -> ended.stream().anyMatch(why -> why.contains("has been replaced")));
    assertThat(back.replica.status().phase()).isEqualTo(Phase.HALTED);
    Machine wiped = start(2, first, temp.resolve("wiped"));
    Await.until(
        Duration.ofSeconds(60),
        () -> "the wiped machine goes on: " + ended,
        () -> wiped.replica.status().phase() == Phase.HALTED);
    writer.awaitMore(200);
    awaitOperational(zero, one, machine);

    // A survivor that restarts with its old file finds the new machine.
    one.replica.close();
    Machine again = start(1, first, temp.resolve("1"));
    awaitOperational(zero, again, machine);
    writer.awaitMore(200);
    writer.stops = true;
    writer.join(60_000);
    List<Machine> all = List.of(zero, again, machine);
    Await.until(
        Duration.ofSeconds(60),
        () -> all.stream().map(each -> each.service.digest()).toList().toString(),
        () -> all.stream().map(each -> each.service.digest()).distinct().count() == 1);
    for (Machine each : all) {
      assertThat(each.service.missing(acknowledged)).isZero();
    }
    assertThat(ended).noneMatch(why -> why.startsWith("halt"));
  }
}
