package io.lockstep.bench.result;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of benchmarks that measure two builds beside each other. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class BuildOptions {
  @Option(
      names = "--before",
      required = true,
      paramLabel = "DIR",
      description = "A checkout of the older commit, built with ./lockstep build.")
  private Path before;

  @Option(
      names = "--after",
      paramLabel = "DIR",
      description = "A checkout of the newer commit; default: this one.")
  private @Nullable Path after;

  /** Two checkouts. */
  public record Builds(Path before, Path after) {
    /** Says which commits they are of. */
    public void print(PrintWriter out) {
      out.printf(
          Locale.ROOT,
          "before: %s, after: %s%n",
          Surroundings.of(before).commit(),
          Surroundings.of(after).commit());
    }
  }

  /**
   * Both checkouts.
   *
   * @param jars where a built one has its jars, relative to it; this one runs, so it is built
   * @throws BenchException if one is not built
   */
  public Builds builds(String jars) throws BenchException, IOException {
    return new Builds(
        built(before, jars), after == null ? Surroundings.root() : built(after, jars));
  }

  private static Path built(Path checkout, String jars) throws BenchException, IOException {
    boolean there =
        Files.isDirectory(checkout.resolve(jars))
            || (Files.isDirectory(checkout) && checkout.toRealPath().equals(Surroundings.root()));
    if (!there) {
      throw new BenchException(
          checkout + " is no built checkout: run ./lockstep build there first");
    }
    return checkout.toRealPath();
  }
}
