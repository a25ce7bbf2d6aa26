package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Timing;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import io.lockstep.store.typed.Tally;
import io.lockstep.store.typed.TallyRead;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One replica of {@link RecordingService} as a process of its own: {@code ReplicaMain <cluster>
 * <id> <directory, or -> <port>...}. Answers each line {@code <number> <question>} on standard
 * input with {@code <number> <answer>} and ends with standard input.
 */
public final class ReplicaMain {
  /** System property with the bytes of log after which a snapshot is made. */
  static final String SNAPSHOT_LOG_BYTES = "lockstep.test.snapshotLogBytes";

  /** System property with the length of an era. */
  static final String INSTANCES_PER_ERA = "lockstep.test.instancesPerEra";

  /** System property with how long the loop may be stuck. */
  static final String STUCK_MILLIS = "lockstep.test.stuckMillis";

  /** System property that tells which of these the replica orders for. */
  static final String SERVICE = "lockstep.test.service";

  static final String RECORDING = "recording";
  static final String STORE = "store";
  static final String STORE_WITH_TALLY = "store-with-tally";
  static final String OLDER_STORE = "older-store";
  static final String UPGRADED_STORE = "upgraded-store";

  /** Exit status of a replica that refuses to start. */
  static final int REFUSED = 1;

  /** Begins the line of a replica that stops in order, on standard error; the outcome follows. */
  static final String STOPS = "stops ";

  private ReplicaMain() {}

  /** Runs until standard input ends; exit status 10 after a halt. */
  public static void main(String[] args) throws IOException {
    List<Member> members = new ArrayList<>();
    for (int i = 3; i < args.length; i++) {
      members.add(new Member(i - 3, "127.0.0.1", Integer.parseInt(args[i])));
    }
    RecordingService service = new RecordingService();
    OrderedService ordered =
        switch (System.getProperty(SERVICE, RECORDING)) {
          case STORE -> new StoreStateMachine(List.of());
          case STORE_WITH_TALLY -> new StoreStateMachine(List.of(new Tally(), new TallyRead()));
          case UPGRADED_STORE -> new StoreStateMachine(UpgradedComponents.all());
          case OLDER_STORE -> new OlderStore();
          default -> service;
        };
    AtomicReference<FaultyLog> faulty = new AtomicReference<>();
    BftSmartReplica replica =
        BftSmartReplica.start(
            ReplicaConfig.of(args[0], Integer.parseInt(args[1]), members)
                .with(limits())
                .with(timing())
                .withInstancesPerEra(
                    Long.getLong(INSTANCES_PER_ERA, ReplicaConfig.MOST_INSTANCES_PER_ERA)),
            ordered,
            onFailure -> log(args, onFailure, faulty),
            reason -> Runtime.getRuntime().halt(10),
            reason -> Runtime.getRuntime().halt(REFUSED));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(replica), "stop"));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    while ((line = in.readLine()) != null) {
      int space = line.indexOf(' ');
      System.out.println(
          line.substring(0, space + 1)
              + answer(line.substring(space + 1), replica, service, faulty.get()));
    }
    Runtime.getRuntime().halt(0);
  }

  /** As the product stops on SIGTERM. */
  private static void stop(BftSmartReplica replica) {
    try {
      System.err.println(STOPS + replica.stepDown().get(10, TimeUnit.SECONDS));
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      System.err.println(STOPS + e);
    }
    replica.close();
  }

  /** Snapshots often unless told otherwise, so that tests of seconds see them. */
  private static Limits limits() {
    return Limits.usual().withSnapshotLogBytes(Long.getLong(SNAPSHOT_LOG_BYTES, 512 << 10));
  }

  private static Timing timing() {
    Timing usual = Timing.usual();
    return usual.withStuckMillis(Integer.getInteger(STUCK_MILLIS, usual.stuckMillis()));
  }

  private static DiskLogOptions small() {
    return new DiskLogOptions(
        256 << 10, 16 << 10, 4 << 20, 16 << 20, 64 << 10, 0, new SecureRandom()::nextLong);
  }

  private static DecisionLog log(
      String[] args, Consumer<String> onFailure, AtomicReference<FaultyLog> faulty)
      throws IOException {
    if (args[2].equals("-")) {
      return new MemoryLog(MemoryLog.Bounds.STANDARD);
    }
    FaultyLog log = new FaultyLog(disk(args[2], args[0], Integer.parseInt(args[1]), onFailure));
    faulty.set(log);
    return log;
  }

  /** A replica's log in a directory. */
  static DecisionLog disk(String directory, String cluster, int id, Consumer<String> onFailure)
      throws IOException {
    return DiskLog.open(
        FileStorage.open(Path.of(directory)),
        new Identity(cluster, id),
        small(),
        failure -> onFailure.accept(failure.toString()));
  }

  private static String answer(
      String line, BftSmartReplica replica, RecordingService service, @Nullable FaultyLog log)
      throws IOException {
    if (log != null && line.equals("diverge")) {
      log.diverge();
      return "ok";
    }
    if (log != null && line.equals("hang")) {
      log.hang();
      return "ok";
    }
    if (log != null && line.equals("hold")) {
      log.holdReplies();
      return "ok";
    }
    if (log != null && line.equals("durable")) {
      return Long.toString(log.durable().instance());
    }
    if (line.equals("status")) {
      ReplicaStatus status = replica.status();
      return status.phase()
          + " "
          + status.leaderId()
          + " "
          + status.regency()
          + " "
          + status.lastInstance()
          + " "
          + status.quorum()
          + " "
          + status.reachable().toString().replace(" ", "");
    }
    if (line.equals("versions")) {
      return replica.versions().toString();
    }
    if (line.equals("unwilling") || line.equals("willing")) {
      replica.setWilling(line.equals("willing"));
      return "ok";
    }
    if (line.equals("digest")) {
      return service.digest();
    }
    if (line.startsWith("missing ")) {
      byte[] ids = Files.readAllBytes(Path.of(line.substring("missing ".length())));
      return Integer.toString(service.missing(BitSet.valueOf(ids)));
    }
    return "unknown command";
  }
}
