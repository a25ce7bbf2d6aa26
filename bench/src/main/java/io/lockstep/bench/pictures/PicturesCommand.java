package io.lockstep.bench.pictures;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench pictures}: draws the headline results. */
@Command(
    name = "pictures",
    description = "Draws the headline results from their files; measures nothing.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class PicturesCommand implements Callable<Integer> {
  static final List<HeadlinePicture> ALL =
      List.of(
          new ComparePicture(),
          new FailoverPicture(),
          new LearningSwitchPicture(),
          new NetworkPicture());

  @Spec private CommandSpec spec;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Where the result files are; default: bench/results.")
  private @Nullable Path results;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the pictures go, one SVG each; default: where the results are.")
  private @Nullable Path out;

  @Override
  public Integer call() throws BenchException {
    Path from = results == null ? Surroundings.root().resolve("bench/results") : results;
    Path to = out == null ? from : out;
    for (HeadlinePicture picture : ALL) {
      String svg = picture.svg(from);
      Path file = to.resolve(picture.name() + ".svg");
      try {
        Files.createDirectories(to);
        Files.writeString(file, svg);
      } catch (IOException e) {
        throw new BenchException("cannot write " + file + ": " + e.getMessage(), e);
      }
      spec.commandLine().getOut().println("picture: " + file);
    }
    spec.commandLine().getOut().flush();
    return 0;
  }
}
