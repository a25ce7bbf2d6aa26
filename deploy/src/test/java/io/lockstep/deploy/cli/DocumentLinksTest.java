package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Links of documents lead to files that are there, and to headings that are in them. */
class DocumentLinksTest {
  private static final Path ROOT = Distribution.root();
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");

  private final Map<Path, List<String>> anchors = new HashMap<>();

  private static List<Path> documents() throws IOException {
    List<Path> documents =
        new ArrayList<>(
            List.of(ROOT.resolve("README.md"), ROOT.resolve("deploy/package/README.md")));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"), 2)) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }

  private static String text(Path document) throws IOException {
    return CODE.matcher(Files.readString(document)).replaceAll("");
  }

  /** As what shows Markdown makes them of headings. */
  private static String anchor(String heading) {
    return heading
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{Alnum} _-]", "")
        .strip()
        .replace(' ', '-');
  }

  private List<String> anchors(Path document) throws IOException {
    List<String> known = anchors.get(document);
    if (known == null) {
      known =
          text(document)
              .lines()
              .filter(line -> line.matches("#+ .*"))
              .map(line -> anchor(line.replaceFirst("#+ ", "")))
              .toList();
      anchors.put(document, known);
    }
    return known;
  }

  @Test
  void eachLinkLeadsToAFileAndToAHeadingOfIt() throws IOException {
    List<String> broken = new ArrayList<>();
    int found = 0;
    for (Path document : documents()) {
      for (MatchResult link : LINK.matcher(text(document)).results().toList()) {
        found++;
        if (!leadsSomewhere(document, link.group(1), link.group(2))) {
          broken.add(ROOT.relativize(document) + ": " + link.group());
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(found).isGreaterThan(200);
  }

  private boolean leadsSomewhere(Path document, String file, @Nullable String heading)
      throws IOException {
    Path target = file.isEmpty() ? document : document.resolveSibling(file).normalize();
    boolean isOfThePackage = document.startsWith(ROOT.resolve("deploy/package")) && !file.isEmpty();
    if (isOfThePackage) {
      target = ROOT.resolve(file);
    }
    if (!Files.exists(target)) {
      // The package has some files in other places; PackageIT looks at these.
      return isOfThePackage;
    }
    return heading == null || !Files.isRegularFile(target) || anchors(target).contains(heading);
  }
}
