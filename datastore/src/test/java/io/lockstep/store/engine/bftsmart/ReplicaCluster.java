package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.DecisionLog;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Replicas as processes of their own. Closing kills each by its own process handle. */
final class ReplicaCluster implements AutoCloseable {
  static final int SIZE = 3;
  static final String NAME = "it-cluster";

  /** A replica's answer to "status". */
  record Status(
      String phase, int leader, long regency, long instance, boolean quorum, String reachable) {
    boolean operational() {
      return phase.equals("OPERATIONAL");
    }
  }

  private static final class Running {
    final Process process;
    final Writer in;
    final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    int asked;

    Running(Process process) {
      this.process = process;
      this.in = process.outputWriter(StandardCharsets.UTF_8);
      Thread reader = new Thread(this::read, "replica-answers");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        out.lines().forEach(answers::add);
      } catch (UncheckedIOException | IOException e) {
        answers.add("");
      }
    }

    synchronized @Nullable String ask(String question) {
      String number = asked++ + " ";
      try {
        in.write(number + question + "\n");
        in.flush();
        int seconds = question.equals("status") ? 5 : 60; // a paused replica has no status
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (process.isAlive() && System.nanoTime() - deadline < 0) {
          String answer = answers.poll(100, TimeUnit.MILLISECONDS);
          if (answer != null && answer.startsWith(number)) {
            return answer.substring(number.length());
          }
        }
      } catch (IOException e) {
        return null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return null;
    }
  }

  private final int size;
  private final List<Member> members;
  private final @Nullable Running[] running;
  private final Path logs;
  private final boolean durable;
  private final Set<String> expectedErrors = new HashSet<>();
  private final Map<String, Object> systemProperties = new TreeMap<>();
  private IntBinaryOperator route;
  private String classPath = System.getProperty("java.class.path");

  ReplicaCluster() throws IOException {
    this(SIZE, false);
  }

  /**
   * @param durable whether the replicas keep what they decide on disk
   */
  ReplicaCluster(int size, boolean durable) throws IOException {
    this.size = size;
    this.members = ReplicaPorts.members(size);
    this.running = new Running[size];
    this.durable = durable;
    this.route = (from, to) -> members.get(to).port();
    logs =
        Files.createDirectories(
            Path.of("target", "replica-logs", Long.toString(System.nanoTime())));
  }

  /** What replicas order for that are started from now on, in place of {@link RecordingService}. */
  ReplicaCluster of(String other) {
    systemProperties.put(ReplicaMain.SERVICE, other);
    return this;
  }

  /**
   * The release that replicas run which are started from now on.
   *
   * @param changed directory of the classes that it has in place of this one's; null for this one
   */
  ReplicaCluster release(@Nullable Path changed) {
    String present = System.getProperty("java.class.path");
    classPath = changed == null ? present : changed + File.pathSeparator + present;
    return this;
  }

  /** Where one replica believes another to be, by their ids. */
  void routed(IntBinaryOperator portOf) {
    route = portOf;
  }

  /** Shorter eras, for replicas that are started from now on. */
  ReplicaCluster withInstancesPerEra(long instances) {
    systemProperties.put(ReplicaMain.INSTANCES_PER_ERA, instances);
    return this;
  }

  /** For how long the loops of replicas that are started from now on may be stuck. */
  ReplicaCluster stuckAfter(int millis) {
    systemProperties.put(ReplicaMain.STUCK_MILLIS, millis);
    return this;
  }

  /** Replicas started from now on make no snapshot, so that logs are compared, not replaced. */
  ReplicaCluster withoutSnapshots() {
    systemProperties.put(ReplicaMain.SNAPSHOT_LOG_BYTES, 1L << 30);
    return this;
  }

  /** The version of requests that replicas read which are started from now on. */
  ReplicaCluster readingRequestsOf(int version) {
    systemProperties.put(RecordingService.REQUEST_VERSION, version);
    return this;
  }

  List<Member> members() {
    return members;
  }

  void start(int... ids) throws IOException {
    for (int id : ids) {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Dlogback.configurationFile=replica-process-logback.xml",
                  "-cp",
                  classPath));
      systemProperties.forEach((name, value) -> command.add("-D" + name + "=" + value));
      command.addAll(List.of(ReplicaMain.class.getName(), NAME, Integer.toString(id)));
      command.add(durable ? directory(id).toString() : "-");
      for (Member member : members) {
        int port = member.id() == id ? member.port() : route.applyAsInt(id, member.id());
        command.add(Integer.toString(port));
      }
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectError(ProcessBuilder.Redirect.appendTo(log(id).toFile()));
      running[id] = new Running(builder.start());
    }
  }

  /** What a replica keeps. */
  Path directory(int id) throws IOException {
    return Files.createDirectories(logs.resolve("data-" + id));
  }

  /** Removes what a replica that does not run has on disk. */
  void wipe(int id) throws IOException {
    try (Stream<Path> files = Files.walk(directory(id))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Opens the log of a replica that does not run. */
  DecisionLog openLog(int id) throws IOException {
    return ReplicaMain.disk(
        directory(id).toString(),
        NAME,
        id,
        failure -> {
          throw new AssertionError(failure);
        });
  }

  /** A line with this is no failure in the logs of these replicas. */
  void expectError(String part) {
    expectedErrors.add(part);
  }

  /** Waits for a replica to end by itself; returns its exit status. */
  int awaitEnd(int id) {
    Await.until(Duration.ofSeconds(60), this::describe, () -> !isAlive(id));
    return process(id).exitValue();
  }

  /** How many lines of a replica's log contain this. */
  long logged(int id, String text) throws IOException {
    try (Stream<String> lines = Files.lines(log(id))) {
      return lines.filter(line -> line.contains(text)).count();
    }
  }

  private Path log(int id) {
    return logs.resolve(members.get(0).port() + "-" + id + ".log");
  }

  void startAll() throws IOException {
    start(all());
  }

  private int[] all() {
    return IntStream.range(0, size).toArray();
  }

  /** SIGKILL, and waits for the end. */
  void kill(int... ids) throws InterruptedException {
    for (int id : ids) {
      process(id).destroyForcibly();
    }
    for (int id : ids) {
      process(id).waitFor();
    }
  }

  /** Sends STOP or CONT. */
  void signal(int id, String name) throws IOException, InterruptedException {
    ProcessSignal.send(process(id), name);
  }

  boolean isAlive(int id) {
    return process(id).isAlive();
  }

  private Process process(int id) {
    Running one = running[id];
    if (one == null) {
      throw new IllegalStateException("replica " + id + " was never started");
    }
    return one.process;
  }

  @Nullable String ask(int id, String question) {
    Running one = running[id];
    return one == null ? null : one.ask(question);
  }

  /** What the replica says; phase "SILENT" where it does not answer. */
  Status status(int id) {
    String answer = ask(id, "status");
    if (answer == null) {
      return new Status("SILENT", -1, -1, -1, false, "");
    }
    String[] parts = answer.split(" ", -1);
    return new Status(
        parts[0],
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]),
        Boolean.parseBoolean(parts[4]),
        parts[5]);
  }

  /** Waits until these take part and see a quorum; returns the milliseconds it took. */
  long awaitOperational(int... ids) {
    long begin = System.nanoTime();
    Await.until(
        Duration.ofSeconds(60),
        this::describe,
        () ->
            IntStream.of(ids)
                .allMatch(
                    id -> {
                      Status status = status(id);
                      return status.operational() && status.quorum();
                    }));
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  long awaitAllOperational() {
    return awaitOperational(all());
  }

  /** The leader that a majority names. */
  int leader() {
    int[] found = {-1};
    Await.until(
        Duration.ofSeconds(60),
        this::describe,
        () -> {
          int[] votes = new int[size];
          for (int id = 0; id < size; id++) {
            Status status = status(id);
            if (status.leader() >= 0 && ++votes[status.leader()] > size / 2) {
              found[0] = status.leader();
            }
          }
          return found[0] >= 0;
        });
    return found[0];
  }

  /** A replica that is not the leader. */
  int follower() {
    return (leader() + 1) % size;
  }

  /** Whether that replica knows a leader other than that one. */
  boolean follows(int id, int notLeader) {
    int leader = status(id).leader();
    return leader >= 0 && leader != notLeader;
  }

  /** All replicas have applied the same. */
  void awaitEqual() {
    Await.until(
        Duration.ofSeconds(60),
        () -> "histories differ: " + digests() + "; " + describe(),
        () -> digests().stream().distinct().count() == 1 && !digests().contains("null"));
  }

  /**
   * Waits until all replicas have the same history, and checks that nothing is missing in it and
   * that none of them logged an error.
   */
  void verify(BitSet acknowledged) throws IOException {
    awaitAllOperational();
    for (int id = 0; id < size; id++) {
      try (Stream<String> lines = Files.lines(log(id))) {
        List<String> errors =
            lines
                .filter(line -> line.contains("] ERROR "))
                .filter(line -> expectedErrors.stream().noneMatch(line::contains))
                .toList();
        if (!errors.isEmpty()) {
          throw new AssertionError("replica " + id + " logged " + errors + ", see " + log(id));
        }
      }
    }
    awaitEqual();
    Path ids = Files.createTempFile("acknowledged", ".ids");
    try {
      Files.write(ids, acknowledged.toByteArray());
      for (int id = 0; id < size; id++) {
        String missing = ask(id, "missing " + ids);
        if (!"0".equals(missing)) {
          throw new AssertionError("replica " + id + " lacks " + missing + " acknowledged ids");
        }
      }
    } finally {
      Files.delete(ids);
    }
  }

  private List<String> digests() {
    return IntStream.range(0, size).mapToObj(id -> String.valueOf(ask(id, "digest"))).toList();
  }

  String describe() {
    StringBuilder text = new StringBuilder("ports ").append(members.get(0).port());
    for (int id = 0; id < size; id++) {
      Running one = running[id];
      text.append("; ").append(id).append(": ");
      text.append(
          one == null
              ? "not started"
              : one.process.isAlive()
                  ? String.valueOf(status(id))
                  : "ended with " + one.process.exitValue());
    }
    return text.toString();
  }

  @Override
  public void close() throws InterruptedException {
    for (Running one : running) {
      if (one != null) {
        one.process.destroyForcibly();
        one.process.waitFor();
      }
    }
  }
}
