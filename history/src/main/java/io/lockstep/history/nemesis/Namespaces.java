package io.lockstep.history.nemesis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Network namespaces of a run: one for each replica, and a router between them, in which the
 * clients run as well. Nothing of the machine's own network is touched; all names begin with the
 * run's id. Needs root and {@code ip}.
 *
 * <p>Made by one thread; {@link #close} from any.
 */
public final class Namespaces implements AutoCloseable {
  private static final String FIRST_INTERFACE = "eth0";

  private final String id;
  private final List<String> made = new CopyOnWriteArrayList<>();

  private Namespaces(String id) {
    this.id = id;
  }

  /**
   * Makes them.
   *
   * @param id of the run, on this machine no other's
   * @throws IOException where that is not possible; nothing is left then
   */
  public static Namespaces create(String id) throws IOException, InterruptedException {
    Namespaces namespaces = new Namespaces(id);
    try {
      namespaces.make();
      return namespaces;
    } catch (IOException e) {
      namespaces.close();
      throw e;
    }
  }

  private void make() throws IOException, InterruptedException {
    for (String name : names()) {
      Tool.run("ip netns add " + name);
      made.add(name);
      Tool.run("ip -n " + name + " link set lo up");
    }
    String router = router(id);
    for (int replica = 0; replica < Cluster.SIZE; replica++) {
      String name = replica(id, replica);
      String port = port(replica);
      Tool.run(
          String.format(
              "ip -n %s link add %s type veth peer name %s netns %s",
              router, port, FIRST_INTERFACE, name));
      Tool.run(String.format("ip -n %s addr add %s/30 dev %s", router, gateway(replica), port));
      Tool.run(String.format("ip -n %s link set %s up", router, port));
      Tool.run(
          String.format("ip -n %s addr add %s/30 dev %s", name, host(replica), FIRST_INTERFACE));
      Tool.run(String.format("ip -n %s link set %s up", name, FIRST_INTERFACE));
      Tool.run(String.format("ip -n %s route add default via %s", name, gateway(replica)));
    }
    List<String> forward = new ArrayList<>(inside(router));
    forward.addAll(List.of("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"));
    Tool.run(forward);
    Tool.run(rule("add", router, 0, 1));
    Tool.run(rule("del", router, 0, 1));
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(List.of(router(id)));
    for (int replica = 0; replica < Cluster.SIZE; replica++) {
      names.add(replica(id, replica));
    }
    return names;
  }

  /** The namespace of the router and the clients. */
  static String router(String id) {
    return id + "-router";
  }

  /** The namespace of a replica. */
  static String replica(String id, int replica) {
    return id + "-" + replica;
  }

  /** The router's interface that leads to a replica. */
  static String port(int replica) {
    return "replica" + replica;
  }

  /** A replica's address. */
  static String host(int replica) {
    return "10.77." + replica + ".2";
  }

  private static String gateway(int replica) {
    return "10.77." + replica + ".1";
  }

  /** What goes before a command that is to run in a namespace; it takes this process's place. */
  static List<String> inside(String namespace) {
    return List.of("nsenter", "--net=/run/netns/" + namespace);
  }

  /** What goes before the command that runs the clients. */
  public List<String> insideRouter() {
    return inside(router(id));
  }

  /** Has the router lose, silently, what comes from one replica and goes to another. */
  static String rule(String verb, String router, int from, int to) {
    return String.format(
        "ip -n %s rule %s pref %d iif %s to %s blackhole",
        router, verb, 100 + Cluster.SIZE * from + to, port(from), host(to));
  }

  /** Kills whatever runs in the namespaces, and takes them away. */
  @Override
  public void close() {
    IOException failure = null;
    for (String name : made) {
      IOException here = remove(name);
      failure = failure == null ? here : failure;
    }
    if (failure != null) {
      throw new IllegalStateException("cannot take away the namespaces " + id, failure);
    }
  }

  private static @Nullable IOException remove(String name) {
    try {
      for (String pid : Tool.run("ip netns pids " + name).lines().toList()) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
      Tool.run("ip netns del " + name);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IOException("interrupted while removing " + name, e);
    } catch (IOException e) {
      return e;
    }
  }
}
