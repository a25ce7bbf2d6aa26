package io.lockstep.bench.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Three servers on loopback.
 *
 * @param durable whether a write is on every disk of a majority before it is acknowledged
 * @param directory of the servers' files; each makes its own in it
 * @param basePort each server has {@value #PORTS_EACH} ports from here on
 */
public record Cluster(boolean durable, Path directory, int basePort) {
  /** Servers. */
  public static final int SERVERS = 3;

  /** Ports of one server. */
  public static final int PORTS_EACH = 3;

  /** Loopback. */
  public static final String HOST = "127.0.0.1";

  /** A port of server {@code id}, {@code number} from 0. */
  public int port(int id, int number) {
    return basePort + PORTS_EACH * id + number;
  }

  /** The directory of server {@code id}. */
  public Path directory(int id) {
    return directory.resolve("server-" + id);
  }

  /** As arguments of a process; {@link #parse} reads them. */
  public List<String> arguments() {
    return new ArrayList<>(
        List.of(String.valueOf(durable), directory.toString(), String.valueOf(basePort)));
  }

  static Cluster parse(String[] arguments, int from) {
    return new Cluster(
        Boolean.parseBoolean(arguments[from]),
        Path.of(arguments[from + 1]),
        Integer.parseInt(arguments[from + 2]));
  }
}
