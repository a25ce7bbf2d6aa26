package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.LoadMain;
import io.lockstep.bench.compare.ServerMain;
import io.lockstep.bench.runs.Surroundings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The stores that are compared, and how their processes are started. */
enum StoreKind {
  /**
   * This build runs from this process's own class path, that of another checkout from what was
   * built there.
   */
  LOCKSTEP("bench/target/dist/lib"),
  /** As its users have it: with its own RPC. */
  JRAFT("bench/peer-jraft/target/dist/lib"),
  /** The same servers, asked over a framed protocol of our own: a harder opponent. */
  JRAFT_FRAMES("bench/peer-jraft/target/dist/lib"),
  ATOMIX("bench/peer-atomix/target/dist/lib"),
  ETCD("bench/peer-etcd/target/dist/lib");

  /** The same for every process in Java. */
  private static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx1g", "-XX:+UseSerialGC");

  /** Starts a command that Ctrl-C on a terminal does not reach: this process ends it in order. */
  private static final List<String> DEAF =
      List.of("/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\"");

  /** What Atomix's serializer looks into. */
  private static final List<String> OPENED_TO_ATOMIX =
      List.of(
          "java.lang",
          "java.net",
          "java.nio",
          "java.time",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "jdk.internal.ref",
          "sun.nio.ch");

  /** Its heap may grow to five times what is in use: collecting less often costs it less. */
  private static final int ETCD_GARBAGE_PERCENT = 400;

  private static final List<String> WHERE_ETCD_IS =
      List.of("/usr/bin/etcd", "/usr/local/bin/etcd", "/usr/sbin/etcd");

  private final String lib;

  StoreKind(String lib) {
    this.lib = lib;
  }

  /** As in options and results. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether its servers are in Java and say when they are ready. */
  boolean isJava() {
    return this != ETCD;
  }

  /** What is missing to run it, with the remedy; empty where nothing is. */
  String missing(Path root) {
    if (!Files.isDirectory(root.resolve(lib)) && this != LOCKSTEP) {
      return label() + " is not built: run it with ./lockstep bench compare, which builds it";
    }
    if (this == ETCD && etcd().isEmpty()) {
      return "etcd is not installed: apt-get install etcd-server, or as root"
          + " ./lockstep bench compare --install; or leave it out with --stores";
    }
    return "";
  }

  /** Where a built checkout has the jars, relative to it. */
  String lib() {
    return lib;
  }

  private static String etcd() {
    return WHERE_ETCD_IS.stream()
        .filter(path -> Files.isExecutable(Path.of(path)))
        .findFirst()
        .orElse("");
  }

  /** The command of one server; {@code flags} are further ones of its virtual machine. */
  List<String> server(Path root, Cluster cluster, int id, List<String> flags) {
    if (this == ETCD) {
      return etcdServer(cluster, id);
    }
    List<String> arguments = new ArrayList<>(List.of(String.valueOf(id)));
    arguments.addAll(cluster.arguments());
    return java(root, cluster, flags, ServerMain.class.getName(), arguments);
  }

  /** The command of the load. */
  List<String> load(Path root, Cluster cluster, List<String> flags) {
    return java(root, cluster, flags, LoadMain.class.getName(), cluster.arguments());
  }

  private List<String> java(
      Path root, Cluster cluster, List<String> flags, String main, List<String> arguments) {
    List<String> command = new ArrayList<>(DEAF);
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    command.addAll(flags);
    // Native parts of libraries are unpacked there, and go with the directory.
    command.add("-Djava.io.tmpdir=" + cluster.directory());
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    if (this == ATOMIX) {
      OPENED_TO_ATOMIX.forEach(
          name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
      command.add("-javaagent:" + adapterOfAtomix(root));
    }
    command.add("-cp");
    command.add(
        this == LOCKSTEP && root.equals(Surroundings.root())
            ? System.getProperty("java.class.path", "")
            : root.resolve(lib) + File.separator + "*");
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  /** The jar of its adapter, which is an agent too: it repairs a defect that stalls Atomix. */
  private static Path adapterOfAtomix(Path root) {
    Path lib = root.resolve(ATOMIX.lib);
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, "lockstep-peer-atomix-*.jar")) {
      for (Path jar : jars) {
        return jar;
      }
      throw new IllegalStateException(
          lib + " has no adapter of Atomix: run ./lockstep bench compare, which builds it");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + lib, e);
    }
  }

  /** Started by a shell that ends it when its own standard input ends. */
  private static List<String> etcdServer(Cluster cluster, int id) {
    List<String> members = new ArrayList<>();
    for (int member = 0; member < Cluster.SERVERS; member++) {
      members.add("server-" + member + "=" + url(cluster.port(member, 1)));
    }
    return List.of(
        "/bin/sh",
        "-c",
        "trap '' INT; GOGC="
            + ETCD_GARBAGE_PERCENT
            + " \"$0\" \"$@\" </dev/null >&2 & etcd=$!; read -r nothing; kill -9 $etcd; wait",
        etcd(),
        "--name=server-" + id,
        "--data-dir=" + cluster.directory(id),
        "--listen-client-urls=" + url(cluster.port(id, 0)),
        "--advertise-client-urls=" + url(cluster.port(id, 0)),
        "--listen-peer-urls=" + url(cluster.port(id, 1)),
        "--initial-advertise-peer-urls=" + url(cluster.port(id, 1)),
        "--initial-cluster=" + String.join(",", members),
        "--initial-cluster-state=new",
        "--quota-backend-bytes=8589934592",
        "--logger=zap",
        "--log-level=error");
  }

  private static String url(int port) {
    return "http://" + Cluster.HOST + ":" + port;
  }
}
