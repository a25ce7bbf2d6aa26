package io.lockstep.deploy.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Counts the tests of modules from the reports of surefire and failsafe, and holds the reports
 * against the test classes in the sources: a class without a report did not run, and counts as
 * failed. Uses nothing but the JDK, so that {@code java TestTally.java} works without a build.
 */
public final class TestTally {
  private static final int SLOWEST = 25;
  private static final int DETAIL_LINES = 40;
  private static final int DETAILS = 40;

  /** A test that failed, and what it said. */
  record Failure(String test, String detail) {}

  private record Timed(String test, double seconds) {}

  private final List<String> kinds;
  private int passed;
  private final List<Failure> failures = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<Timed> timed = new ArrayList<>();

  private TestTally(List<String> kinds) {
    this.kinds = kinds;
  }

  /**
   * Reads the reports of modules.
   *
   * @param kinds how the names of the expected test classes end: {@code Test}, {@code IT}; empty
   *     where none is expected
   */
  static TestTally read(List<Path> modules, List<String> kinds) {
    TestTally tally = new TestTally(kinds);
    modules.forEach(tally::addModule);
    return tally;
  }

  private void addModule(Path module) {
    Set<String> expected = classesIn(module.resolve("src/test/java"));
    Set<String> reported = new TreeSet<>();
    for (String directory : List.of("surefire-reports", "failsafe-reports")) {
      for (Path report : files(module.resolve("target").resolve(directory), "TEST-.*\\.xml")) {
        reported.add(report.getFileName().toString().replaceAll("^TEST-|\\.xml$", ""));
        add(report);
      }
    }
    if (!expected.isEmpty() && reported.isEmpty()) {
      String detail = "none of its " + expected.size() + " test classes ran";
      failures.add(new Failure("module " + module, detail));
      return;
    }
    for (String missing : expected) {
      if (!reported.contains(missing)) {
        failures.add(new Failure(missing, "no report: its process died before the end"));
      }
    }
  }

  private Set<String> classesIn(Path sources) {
    if (kinds.isEmpty()) {
      return Set.of();
    }
    String name = ".*(" + String.join("|", kinds) + ")\\.java";
    return files(sources, name).stream()
        .map(file -> sources.relativize(file).toString())
        .map(path -> path.replaceAll("\\.java$", "").replace('/', '.').replace('\\', '.'))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> files(Path directory, String name) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(file -> file.getFileName().toString().matches(name)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("looking for files in " + directory, e);
    }
  }

  private void add(Path report) {
    Element suite;
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder parser = factory.newDocumentBuilder();
      parser.setErrorHandler(null); // its own one prints
      suite = parser.parse(report.toFile()).getDocumentElement();
    } catch (SAXException e) {
      failures.add(new Failure(report.getFileName().toString(), "cut off: its process died"));
      return;
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + report, e);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the JDK's XML parser refuses its features", e);
    }
    NodeList cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      addCase((Element) cases.item(i));
    }
  }

  private void addCase(Element test) {
    String simpleClass = test.getAttribute("classname").replaceFirst(".*\\.", "");
    String name = simpleClass + "." + test.getAttribute("name");
    String time = test.getAttribute("time").replace(",", "");
    timed.add(new Timed(name, time.isEmpty() ? 0 : Double.parseDouble(time)));
    String bad = text(test, "failure") + text(test, "error");
    if (has(test, "failure") || has(test, "error")) {
      String out = lastLines(text(test, "system-out"));
      failures.add(new Failure(name, firstLines(bad) + (out.isEmpty() ? "" : "\n  ...\n" + out)));
    } else if (has(test, "skipped")) {
      skipped.add(name + ": " + reason((Element) test.getElementsByTagName("skipped").item(0)));
    } else {
      passed++;
    }
  }

  /** In the attribute of a disabled test, in the trace of one whose assumption does not hold. */
  private static String reason(Element skipped) {
    String message = skipped.getAttribute("message").strip();
    String trace = skipped.getTextContent().lines().findFirst().orElse("");
    String said = message.isEmpty() ? trace.replaceFirst("^[\\w.$]*Exception: ", "") : message;
    return said.isBlank() ? "no reason given" : said.replaceFirst("^Assumption failed: ", "");
  }

  private static boolean has(Element test, String tag) {
    return test.getElementsByTagName(tag).getLength() > 0;
  }

  private static String text(Element test, String tag) {
    NodeList found = test.getElementsByTagName(tag);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
  }

  private static String firstLines(String text) {
    return text.lines().limit(DETAIL_LINES).collect(Collectors.joining("\n"));
  }

  private static String lastLines(String text) {
    List<String> lines = text.lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - DETAIL_LINES), lines.size()));
  }

  int passed() {
    return passed;
  }

  List<Failure> failures() {
    return failures;
  }

  /**
   * Prints the tally; the count comes last.
   *
   * @param quiet without the slowest tests
   * @return whether the run counts as good
   */
  boolean print(PrintStream out, boolean quiet, boolean buildFailed, boolean noSkip) {
    out.println();
    if (!quiet) {
      timed.stream()
          .sorted(Comparator.comparingDouble(Timed::seconds).reversed())
          .limit(SLOWEST)
          .forEach(
              test ->
                  out.printf(Locale.ROOT, "SLOW    %6.1f s  %s%n", test.seconds(), test.test()));
    }
    for (int i = 0; i < Math.min(failures.size(), DETAILS); i++) {
      Failure failure = failures.get(i);
      out.println("---- " + failure.test());
      out.println(failure.detail());
    }
    skipped.forEach(test -> out.println("SKIPPED " + test));
    failures.forEach(
        failure ->
            out.println(
                "FAILED  "
                    + failure.test()
                    + ": "
                    + failure.detail().lines().findFirst().orElse("without a message")));
    boolean good = failures.isEmpty() && !buildFailed && passed > 0;
    if (buildFailed) {
      out.println("The build failed: see what is said of it above.");
    }
    if (noSkip && !skipped.isEmpty()) {
      out.println("Skipped tests count as failures here (--no-skip).");
      good = false;
    }
    String counts =
        String.format(
            Locale.ROOT,
            "%d passed, %d failed, %d skipped",
            passed,
            failures.size(),
            skipped.size());
    out.println(counts);
    out.println("Tests: " + counts);
    return good;
  }

  /**
   * {@code [--quiet] [--no-skip] [--build-failed] [--kind Test|IT] [--chosen] -- MODULE...},
   * modules as directories; with {@code --chosen} no class is missed. Ends with 1 where the run
   * does not count as good.
   */
  public static void main(String[] arguments) {
    List<String> all = List.of(arguments);
    int end = all.indexOf("--");
    List<String> options = all.subList(0, end);
    int kind = options.indexOf("--kind");
    List<String> kinds = kind < 0 ? List.of("Test", "IT") : List.of(options.get(kind + 1));
    if (options.contains("--chosen")) {
      kinds = List.of();
    }
    List<Path> modules = all.subList(end + 1, all.size()).stream().map(Path::of).toList();
    boolean good =
        read(modules, kinds)
            .print(
                System.out,
                options.contains("--quiet"),
                options.contains("--build-failed"),
                options.contains("--no-skip"));
    System.exit(good ? 0 : 1);
  }
}
