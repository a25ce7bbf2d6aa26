package io.lockstep.bench.failover;

import io.lockstep.bench.runs.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Other work on the machine: processes that each keep one core busy. */
final class Burners implements AutoCloseable {
  private final List<ChildJvm> burners = new ArrayList<>();

  Burners(int count, Path directory) throws IOException {
    for (int i = 0; i < count; i++) {
      burners.add(
          ChildJvm.start(
              "burner-" + i,
              directory,
              List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
              Burner.class,
              List.of()));
    }
  }

  @Override
  public void close() {
    burners.forEach(ChildJvm::close);
  }

  /** Burns a core until its standard input ends. */
  static final class Burner {
    private static volatile long sink;

    private Burner() {}

    /** Runs. */
    public static void main(String[] arguments) throws IOException {
      Thread work =
          new Thread(
              () -> {
                for (long i = 0; ; i++) {
                  sink = sink * 31 + i;
                }
              },
              "burner");
      work.setDaemon(true);
      work.start();
      while (System.in.read() >= 0) {
        // until the parent is gone
      }
    }
  }
}
