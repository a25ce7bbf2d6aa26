package io.lockstep.deploy.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Counts the tests of all modules from the reports of surefire and failsafe. Uses nothing but the
 * JDK, so that {@code java TestTally.java ROOT} works without a build.
 */
public final class TestTally {
  private int passed;
  private final List<String> failed = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  private TestTally() {}

  /** Reads all reports below a directory. */
  static TestTally read(Path root) {
    TestTally tally = new TestTally();
    try (Stream<Path> files = Files.walk(root)) {
      files.filter(TestTally::isReport).sorted().forEach(tally::add);
    } catch (IOException e) {
      throw new UncheckedIOException("looking for test reports below " + root, e);
    }
    return tally;
  }

  private static boolean isReport(Path file) {
    Path directory = file.getParent();
    return directory != null
        && directory.toString().matches(".*[/\\\\]target[/\\\\](surefire|failsafe)-reports")
        && file.getFileName().toString().matches("TEST-.*\\.xml");
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
      failed.add(report.getFileName() + ": cut off, the tests' process died");
      return;
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + report, e);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the JDK's XML parser refuses its features", e);
    }
    NodeList cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      String simpleClass = test.getAttribute("classname").replaceFirst(".*\\.", "");
      String name = simpleClass + "." + test.getAttribute("name");
      if (has(test, "failure") || has(test, "error")) {
        failed.add(name);
      } else if (has(test, "skipped")) {
        Element reason = (Element) test.getElementsByTagName("skipped").item(0);
        String message = reason.getAttribute("message").strip();
        skipped.add(name + ": " + (message.isEmpty() ? "no reason given" : message));
      } else {
        passed++;
      }
    }
  }

  private static boolean has(Element test, String tag) {
    return test.getElementsByTagName(tag).getLength() > 0;
  }

  int passed() {
    return passed;
  }

  List<String> failed() {
    return failed;
  }

  List<String> skipped() {
    return skipped;
  }

  /**
   * Prints the tally; the count comes last.
   *
   * @return whether the run counts as good
   */
  boolean print(PrintStream out, boolean buildFailed, boolean noSkip) {
    out.println();
    failed.forEach(test -> out.println("FAILED  " + test));
    skipped.forEach(test -> out.println("SKIPPED " + test));
    boolean good = failed.isEmpty() && !buildFailed && passed > 0;
    if (failed.isEmpty() && buildFailed) {
      out.println("The build failed outside of the tests: see the lines with ERROR above.");
    }
    if (noSkip && !skipped.isEmpty()) {
      out.println("Skipped tests count as failures here (--no-skip).");
      good = false;
    }
    String counts =
        String.format(
            Locale.ROOT, "%d passed, %d failed, %d skipped", passed, failed.size(), skipped.size());
    out.println(counts);
    out.println("Tests: " + counts);
    return good;
  }

  /**
   * {@code [--no-skip] [--build-failed] ROOT}; ends with 1 where the run does not count as good.
   */
  public static void main(String[] arguments) {
    List<String> options = List.of(arguments);
    TestTally tally = read(Path.of(options.get(options.size() - 1)));
    boolean good =
        tally.print(System.out, options.contains("--build-failed"), options.contains("--no-skip"));
    System.exit(good ? 0 : 1);
  }
}
