package io.lockstep.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The load on one store as a process: {@code DURABLE DIRECTORY BASE-PORT}. It reads lines {@code
 * WORKLOAD VARIANT FLOWS WARMUP-MILLIS WINDOW-MILLIS} and answers each with the lines {@code
 * begin}, {@code end} and {@code point FIGURES}, or {@code failed REASON}. Whatever else a library
 * prints goes to the error stream. Ends when its standard input does.
 */
public final class LoadMain {
  private LoadMain() {}

  /** Runs the load. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    try (PeerStore store = ServerMain.adapter().connect(Cluster.parse(arguments, 0))) {
      serve(
          new Load(store),
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
          out);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  static void serve(Load load, BufferedReader in, PrintStream out)
      throws IOException, InterruptedException {
    Load.Marks marks =
        new Load.Marks() {
          @Override
          public void begin() {
            say(out, "begin");
          }

          @Override
          public void end() {
            say(out, "end");
          }
        };
    String line;
    while ((line = in.readLine()) != null) {
      String[] point = line.split(" ", -1);
      try {
        Measured measured =
            load.run(
                point[0],
                point[1],
                Integer.parseInt(point[2]),
                Long.parseLong(point[3]),
                Long.parseLong(point[4]),
                marks);
        say(out, "point " + measured.line());
      } catch (LoadException e) {
        e.printStackTrace();
        Throwable cause = e.getCause();
        String reason = e.getMessage() + (cause == null ? "" : " (" + cause.getMessage() + ")");
        say(out, "failed " + reason.replaceAll("\\s+", " "));
      }
    }
  }

  private static void say(PrintStream out, String line) {
    out.println(line);
    out.flush();
  }
}
