package io.lockstep.bench.history.replica;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
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

/**
 * One replica as a process: {@code CLUSTER ID BREAKAGE DIRECTORY HOST:PORT...}, with the addresses
 * as this replica is to see them, and {@code -} for a directory where it keeps its state in memory.
 * Each line on standard input is a number; it answers {@code @NUMBER STATUS}. It ends when its
 * standard input ends, or with 10 when the replica halts: then it has printed why.
 */
public final class ReplicaServer {
  /** The directory of a replica that has none. */
  public static final String IN_MEMORY = "-";

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
  private static final int FIRST_MEMBER = 4;

  private ReplicaServer() {}

  /** Runs the replica. */
  public static void main(String[] arguments) throws IOException {
    List<Member> members = new ArrayList<>();
    for (int i = FIRST_MEMBER; i < arguments.length; i++) {
      int colon = arguments[i].lastIndexOf(':');
      int port = Integer.parseInt(arguments[i].substring(colon + 1));
      members.add(new Member(i - FIRST_MEMBER, arguments[i].substring(0, colon), port));
    }
    ReplicaConfig config = config(arguments[0], Integer.parseInt(arguments[1]), members);
    try (BftSmartReplica replica =
        BftSmartReplica.start(
            config,
            service(Breakage.valueOf(arguments[2])),
            onFailure -> log(config, arguments[3], onFailure),
            reason -> halt(cause(reason), reason))) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String line;
      while ((line = in.readLine()) != null) {
        System.out.println("@" + line + " " + describe(replica.status()));
      }
    } catch (IOException e) {
      halt("disk", String.valueOf(e.getMessage()));
    }
    System.exit(0);
  }

  /** Snapshots come often, so that a run sees many of them. */
  private static ReplicaConfig config(String cluster, int id, List<Member> members) {
    Limits usual = Limits.usual();
    return ReplicaConfig.of(cluster, id, members)
        .with(
            new Limits(
                usual.maxBatchRequests(),
                usual.maxBatchBytes(),
                usual.maxRequestBytes(),
                usual.maxPendingRequests(),
                usual.maxClientConnections(),
                usual.maxQueuedBytes(),
                usual.maxQueuedMessages(),
                SNAPSHOT_LOG_BYTES));
  }

  private static DecisionLog log(ReplicaConfig config, String directory, Consumer<String> onFailure)
      throws IOException {
    if (directory.equals(IN_MEMORY)) {
      return new MemoryLog(MemoryLog.Bounds.STANDARD);
    }
    DiskLogOptions usual = DiskLogOptions.usual();
    DiskLogOptions options =
        new DiskLogOptions(
            SEGMENT_BYTES,
            FILL_BYTES,
            usual.groupBytes(),
            usual.pendingBytes(),
            TAIL_BYTES,
            FREE_BYTES,
            usual.salts());
    return DiskLog.open(
        FileStorage.open(Path.of(directory)),
        new Identity(config.clusterId(), config.replicaId()),
        options,
        failure -> onFailure.accept(DISK + failure));
  }

  private static String cause(String reason) {
    boolean disk = reason.startsWith(DISK) || LOG_FAILS.stream().anyMatch(reason::contains);
    return disk ? "disk" : reason.contains("history differs") ? "history-differs" : "other";
  }

  private static void halt(String cause, String reason) {
    System.out.println(HALT + cause + " " + reason.replace('\n', ' '));
    System.out.flush();
    Runtime.getRuntime().halt(HALTED);
  }

  /** The store, or a broken one. */
  public static OrderedService service(Breakage breakage) {
    StoreStateMachine store = new StoreStateMachine(List.of());
    return breakage == Breakage.NONE ? store : new BrokenService(store, breakage);
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
