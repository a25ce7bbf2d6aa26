package io.lockstep.deploy.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTallyTest {
  private static final List<String> ALL_KINDS = List.of("Test", "IT");
  private static final String SUREFIRE =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="a.FirstTest" tests="4" errors="1" skipped="1" failures="1">
        <testcase name="works" classname="a.FirstTest" time="0.1"/>
        <testcase name="waits" classname="a.FirstTest"><skipped message="no Open vSwitch"/></testcase>
        <testcase name="breaks" classname="a.FirstTest" time="1,234.5"><failure message="1 &lt; 2">wrong: 1 &lt; 2
      at line 3</failure><system-out>round 7</system-out></testcase>
        <testcase name="throws" classname="a.FirstTest"><error/></testcase>
      </testsuite>
      """;
  private static final String ONE_GOOD =
      "<testsuite><testcase name=\"walks\" classname=\"b.SecondIT\" time=\"2.5\"/></testsuite>";

  @TempDir private Path root;

  private void file(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private record Printed(boolean good, String text) {}

  private Printed print(boolean quiet, boolean buildFailed, boolean noSkip, String... modules) {
    List<Path> directories = new ArrayList<>();
    for (String module : modules) {
      directories.add(root.resolve(module));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    boolean good = TestTally.read(directories, ALL_KINDS).print(out, quiet, buildFailed, noSkip);
    return new Printed(good, bytes.toString(StandardCharsets.UTF_8));
  }

  @Test
  void countsUnitAndIntegrationTestsOfAllModulesAndEndsWithTheCount() throws IOException {
    file("m/src/test/java/a/FirstTest.java", "");
    file("m/target/surefire-reports/TEST-a.FirstTest.xml", SUREFIRE);
    file("n/o/src/test/java/b/SecondIT.java", "");
    file("n/o/target/failsafe-reports/TEST-b.SecondIT.xml", ONE_GOOD);
    file("n/o/target/failsafe-reports/failsafe-summary.xml", "<failsafe-summary/>");
    Printed printed = print(false, false, false, "m", "n/o");
    assertThat(printed.good()).isFalse();
    assertThat(printed.text())
        .contains("FAILED  FirstTest.breaks: wrong: 1 < 2\n", "FAILED  FirstTest.throws")
        .contains("---- FirstTest.breaks\nwrong: 1 < 2\nat line 3\n  ...\nround 7\n")
        .contains("SKIPPED FirstTest.waits: no Open vSwitch")
        .endsWith("\n2 passed, 2 failed, 1 skipped\nTests: 2 passed, 2 failed, 1 skipped\n");
  }

  @Test
  void theSlowestTestsComeFirstLongestOnTopAtMost25() throws IOException {
    StringBuilder cases = new StringBuilder("<testsuite>");
    for (int i = 1; i <= 30; i++) {
      cases.append("<testcase name=\"t" + i + "\" classname=\"a.C\" time=\"" + i + ".04\"/>");
    }
    file("m/target/surefire-reports/TEST-a.C.xml", cases + "</testsuite>");
    Printed printed = print(false, false, false, "m");
    assertThat(printed.good()).isTrue();
    List<String> slow = printed.text().lines().filter(line -> line.startsWith("SLOW")).toList();
    assertThat(slow).hasSize(25);
    assertThat(slow.get(0)).isEqualTo("SLOW      30.0 s  C.t30");
    assertThat(slow.get(24)).isEqualTo("SLOW       6.0 s  C.t6");
    assertThat(print(true, false, false, "m").text()).doesNotContain("SLOW");
  }

  @Test
  void aSkipIsAFailureOnlyWhenAskedFor() throws IOException {
    file(
        "m/target/surefire-reports/TEST-c.xml",
        "<testsuite><testcase name=\"a\" classname=\"C\"/>"
            + "<testcase name=\"c\" classname=\"C\"><skipped>org.opentest4j.TestAbortedException:"
            + " Assumption failed: needs root\nat x</skipped></testcase>"
            + "<testcase name=\"b\" classname=\"C\"><skipped/></testcase></testsuite>");
    Printed printed = print(false, false, false, "m");
    assertThat(printed.good()).isTrue();
    assertThat(printed.text())
        .contains("SKIPPED C.b: no reason given", "SKIPPED C.c: needs root\n");
    printed = print(false, false, true, "m");
    assertThat(printed.good()).isFalse();
    assertThat(printed.text()).contains("Skipped tests count as failures here");
  }

  @Test
  void aBuildThatFailedIsNotGoodWhateverTheTestsSay() throws IOException {
    file("m/target/failsafe-reports/TEST-b.SecondIT.xml", ONE_GOOD);
    Printed printed = print(false, true, false, "m");
    assertThat(printed.good()).isFalse();
    assertThat(printed.text())
        .contains("The build failed")
        .endsWith("Tests: 1 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void nothingRanIsNotGood() {
    Printed printed = print(false, false, false);
    assertThat(printed.good()).isFalse();
    assertThat(printed.text()).endsWith("Tests: 0 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void aClassWithoutAReportFailedAndTheOthersStillCount() throws IOException {
    file("m/src/test/java/b/SecondIT.java", "");
    file("m/src/test/java/b/CrashingIT.java", "");
    file("m/src/test/java/b/Helper.java", "");
    file("m/target/failsafe-reports/TEST-b.SecondIT.xml", ONE_GOOD);
    Printed printed = print(false, false, false, "m");
    assertThat(printed.good()).isFalse();
    assertThat(printed.text())
        .contains("FAILED  b.CrashingIT: no report: its process died before the end")
        .endsWith("Tests: 1 passed, 1 failed, 0 skipped\n");
  }

  @Test
  void aModuleOfWhichNothingRanIsNamedOnce() throws IOException {
    file("m/src/test/java/b/SecondIT.java", "");
    file("m/src/test/java/b/OtherTest.java", "");
    file("n/target/failsafe-reports/TEST-b.SecondIT.xml", ONE_GOOD);
    Printed printed = print(false, false, false, "m", "n");
    assertThat(printed.good()).isFalse();
    assertThat(printed.text())
        .contains("FAILED  module " + root.resolve("m") + ": none of its 2 test classes ran")
        .endsWith("Tests: 1 passed, 1 failed, 0 skipped\n");
  }

  @Test
  void aReportThatWasCutOffIsAFailure() throws IOException {
    file("m/target/surefire-reports/TEST-a.FirstTest.xml", SUREFIRE.substring(0, 200));
    Printed printed = print(false, false, false, "m");
    assertThat(printed.good()).isFalse();
    assertThat(printed.text()).contains("FAILED  TEST-a.FirstTest.xml: cut off");
  }
}
