package io.lockstep.history.replica;

import io.lockstep.history.mixed.component.Exchange;
import io.lockstep.history.mixed.component.TakeLease;
import io.lockstep.history.replica.clock.ClockAgent;
import io.lockstep.history.replica.clock.SkewedTime;
import io.lockstep.history.replica.disk.PowerStorage;
import io.lockstep.history.replica.disk.SlowStorage;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.HeapBudgets;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One replica as a process: {@code CLUSTER ID BREAKAGE DIRECTORY SYNCED
 * HOST:PORT[#INCARNATION]...}, with the addresses as this replica is to see them, and {@code -} for
 * a directory where it keeps its state in memory, or where what was synced need not be kept apart.
 * A line on standard input is a number, which it answers with {@code @NUMBER STATUS}, or an order:
 * {@link #SLOW_SYNCS} or {@link #CLOCKS}. It ends when its standard input ends, or with 10 when the
 * replica halts, or with {@link #REFUSED}: then it has printed why.
 */
public final class ReplicaServer {
  /** The directory of a replica that has none. */
  public static final String IN_MEMORY = "-";

  /** In place of a directory for what was synced. */
  public static final String NOTHING_BESIDE = "-";

  /** An order: syncs take so many milliseconds longer. */
  public static final String SLOW_SYNCS = "slow-syncs";

  /**
   * An order: a jump of the wall clock in milliseconds, its drift in millionths, and both for the
   * monotonic clock.
   */
  public static final String CLOCKS = "clocks";

  /** An order: the wall clock shows the machine's time again, and no clock drifts. */
  public static final String TRUE_CLOCKS = "true-clocks";

  /** The exit code of a replica that was started from an old copy of its directory. */
  public static final int REFUSED = 1;

  /** What begins the line that a replica prints when it halts; the cause and the reason follow. */
  public static final String HALT = "@halt ";

  private static final String DISK = "disk: ";
  private static final List<String> LOG_FAILS =
      List.of("could not be logged", "cannot promise", "the disk is full");
  private static final int HALTED = 10;
  private static final long SNAPSHOT_LOG_BYTES = 2 << 20;
  private static final long SEGMENT_BYTES = 1 << 20;
  private static final int FILL_BYTES = 64 << 10;
  private static final long TAIL_BYTES = 1 << 20;
  private static final long FREE_BYTES = 8 << 20;
  private static final int FIRST_MEMBER = 5;

  /** The limit of the state: the load of a run stays below. */
  private static final int STATE_MEGABYTES = 64;

  /** Decisions that a replica without a disk keeps for its peers. */
  private static final MemoryLog.Bounds MEMORY_LOG =
      new MemoryLog.Bounds(20_000, 16L << 20, 32L << 20);

  /** Set once, before the replica starts. */
  private static volatile @Nullable SlowStorage disk;

  private ReplicaServer() {}

  /** Runs the replica. */
  public static void main(String[] arguments) throws IOException {
    List<Member> members = new ArrayList<>();
    for (int i = FIRST_MEMBER; i < arguments.length; i++) {
      int colon = arguments[i].lastIndexOf(':');
      String[] port = arguments[i].substring(colon + 1).split("#", 2);
      members.add(
          new Member(
              i - FIRST_MEMBER,
              arguments[i].substring(0, colon),
              Integer.parseInt(port[0]),
              "",
              port.length == 1 ? 0 : Integer.parseInt(port[1])));
    }
    ReplicaConfig config = config(arguments[0], Integer.parseInt(arguments[1]), members);
    try (BftSmartReplica replica =
        BftSmartReplica.start(
            config,
            service(Breakage.valueOf(arguments[2])),
            onFailure -> log(config, arguments[3], arguments[4], onFailure),
            reason -> halt(cause(reason), reason, HALTED),
            reason -> halt("old-copy", reason, REFUSED))) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String line;
      while ((line = in.readLine()) != null) {
        if (Character.isDigit(line.charAt(0))) {
          System.out.println("@" + line + " " + describe(replica.status()));
        } else {
          obey(line.split(" "));
        }
      }
    } catch (IOException e) {
      halt("disk", String.valueOf(e.getMessage()), HALTED);
    }
    System.exit(0);
  }

  private static void obey(String[] order) {
    SlowStorage storage = disk;
    if (order[0].equals(SLOW_SYNCS) && storage != null) {
      storage.delay(Integer.parseInt(order[1]));
    } else if (order[0].equals(CLOCKS) && ClockAgent.sites() > 0) {
      SkewedTime.wall(Long.parseLong(order[1]), Long.parseLong(order[2]));
      SkewedTime.monotonic(Long.parseLong(order[3]), Long.parseLong(order[4]));
    } else if (order[0].equals(TRUE_CLOCKS)) {
      SkewedTime.straighten();
    } else if (!(order[0].equals(SLOW_SYNCS) && order[1].equals("0"))) {
      throw new IllegalArgumentException("cannot obey " + String.join(" ", order));
    }
  }

  private static ReplicaConfig config(String cluster, int id, List<Member> members) {
    return ReplicaConfig.of(cluster, id, members).with(limits());
  }

  /** Snapshots come often, so that a run sees many of them. */
  private static Limits limits() {
    return Limits.usual().withSnapshotLogBytes(SNAPSHOT_LOG_BYTES);
  }

  /**
   * What a replica of a run may hold on its heap at most, in MiB: the sum of the budgets that it is
   * configured with.
   *
   * @param members replicas of the cluster
   * @param durable whether the log is on disk
   */
  public static long heapBoundMegabytes(int members, boolean durable) {
    return HeapBudgets.megabytes(
        limits(),
        members,
        StoreStateMachine.heapBytes(STATE_MEGABYTES),
        durable ? options().memoryBytes() : MEMORY_LOG.pinnedBytes());
  }

  private static DecisionLog log(
      ReplicaConfig config, String directory, String synced, Consumer<String> onFailure)
      throws IOException {
    if (directory.equals(IN_MEMORY)) {
      return new MemoryLog(MEMORY_LOG);
    }
    Path live = Path.of(directory);
    SlowStorage storage =
        new SlowStorage(
            synced.equals(NOTHING_BESIDE)
                ? FileStorage.open(live)
                : PowerStorage.of(live, Path.of(synced)));
    disk = storage;
    return DiskLog.open(
        storage,
        new Identity(config.clusterId(), config.replicaId()),
        options(),
        failure -> onFailure.accept(DISK + failure));
  }

  private static DiskLogOptions options() {
    DiskLogOptions usual = DiskLogOptions.usual();
    return new DiskLogOptions(
        SEGMENT_BYTES,
        FILL_BYTES,
        usual.groupBytes(),
        usual.pendingBytes(),
        TAIL_BYTES,
        FREE_BYTES,
        usual.salts());
  }

  private static String cause(String reason) {
    boolean disk = reason.startsWith(DISK) || LOG_FAILS.stream().anyMatch(reason::contains);
    return disk ? "disk" : reason.contains("history differs") ? "history-differs" : "other";
  }

  private static void halt(String cause, String reason, int exitCode) {
    System.out.println(HALT + cause + " " + reason.replace('\n', ' '));
    System.out.flush();
    Runtime.getRuntime().halt(exitCode);
  }

  /** The store, or a broken one. */
  public static OrderedService service(Breakage breakage) {
    StoreStateMachine store =
        new StoreStateMachine(List.of(new Exchange(), new TakeLease()), STATE_MEGABYTES);
    if (breakage == Breakage.NONE) {
      return store;
    }
    return breakage.single()
        ? new BrokenService(store, breakage)
        : new BrokenMixedService(store, breakage);
  }

  private static String describe(ReplicaStatus status) {
    return status.phase()
        + " "
        + status.leaderId()
        + " "
        + status.regency()
        + " "
        + status.lastInstance()
        + " "
        + status.quorum();
  }
}
