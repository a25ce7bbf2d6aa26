package io.lockstep.deploy.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The steps of a document: its blocks marked {@code sh}, each with the lines of the block marked
 * {@code text} that follows it at once. Blocks without a mark are for the reader only.
 */
public final class ShellDocument {
  private static final Pattern STEP =
      Pattern.compile("```sh\\n(.*?)```(?:\\n\\n```text\\n(.*?)```)?", Pattern.DOTALL);

  /**
   * A step.
   *
   * @param commands for a shell
   * @param expected lines of which each is in what the commands write
   */
  public record Step(String commands, List<String> expected) {}

  private ShellDocument() {}

  /** The steps in order. */
  public static List<Step> steps(Path document) throws IOException {
    List<Step> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(Files.readString(document));
    while (matcher.find()) {
      String expected = matcher.group(2);
      steps.add(
          new Step(matcher.group(1), expected == null ? List.of() : expected.lines().toList()));
    }
    return steps;
  }
}
