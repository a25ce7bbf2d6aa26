package io.lockstep.bench.compare;

import java.io.PrintStream;
import java.util.ServiceLoader;

/**
 * One server as a process: {@code ID DURABLE DIRECTORY BASE-PORT}. It prints the line {@code ready}
 * when it takes part; whatever else a library prints goes to the error stream. Ends when its
 * standard input does.
 */
public final class ServerMain {
  private ServerMain() {}

  /** Runs the server. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    Cluster cluster = Cluster.parse(arguments, 1);
    AutoCloseable server = adapter().serve(cluster, Integer.parseInt(arguments[0]));
    out.println("ready");
    out.flush();
    while (System.in.read() >= 0) {
      // Until the parent is gone.
    }
    if (server.hashCode() != 0) {
      // Held until here. Some stores take seconds to close; nothing of theirs is used again.
      Runtime.getRuntime().halt(0);
    }
  }

  /** The adapter on this class path. */
  static StoreAdapter adapter() {
    return ServiceLoader.load(StoreAdapter.class)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no store on the class path"));
  }
}
