package io.lockstep.core.path;

import io.lockstep.core.app.Instruction.InstallFlow;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.flow.text.FlowTextException;
import io.lockstep.core.flow.text.MatchText;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceAnswer.Reason;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.state.TableView.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code paths}: paths of flows that change in unison (docs/adr/0033). A change is
 * answered when all packets take the new path. Thread-safe.
 */
public final class PathOffer implements ResourceOffer {
  /** A change goes on behind an answer that says that it takes longer. */
  private static final long PATIENCE_MILLIS = 15_000;

  private static final int USUAL_PRIORITY = 2_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
  private static final Pattern HOP = Pattern.compile("[0-9a-fA-F]{1,16}/[0-9]{1,10}");
  private static final Pattern MATCH =
      Pattern.compile("[a-z0-9_]+=[\\x21-\\x2b\\x2d-\\x7e]{1,100}");

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "paths",
          "path",
          "paths of flows through several switches",
          NAME,
          "1 to 64 letters, digits, '_', '.' or '-'",
          List.of(
              ResourceField.texts(
                  "hops",
                  HOP,
                  1,
                  Route.MAX_HOPS,
                  "a list of SWITCH/PORT from the first switch to the last, such as 1f/2: the port"
                      + " by which packets leave it"),
              ResourceField.texts(
                      "match",
                      MATCH,
                      0,
                      PathFlow.MAX_CRITERIA,
                      "a list of FIELD=VALUE with OpenFlow's names, without in_port")
                  .usual(List.of()),
              ResourceField.whole("priority", 0, InstallFlow.MAX_PRIORITY, "")
                  .usual((long) USUAL_PRIORITY)),
          Set.of(Change.ADD, Change.SET, Change.REMOVE));

  private final PathService service;
  private final PathViews views;

  /** The resource over the paths of a node. */
  PathOffer(PathService service, PathViews views) {
    this.service = service;
    this.views = views;
  }

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  @Override
  public CompletableFuture<ResourceAnswer> list() {
    List<ResourceItem> items = new ArrayList<>();
    views.paths().entries().forEach((name, held) -> items.add(item(name, held)));
    items.sort(Comparator.comparing(ResourceItem::id));
    return CompletableFuture.completedFuture(new ResourceAnswer.Items(items, true));
  }

  @Override
  public CompletableFuture<ResourceAnswer> show(String id) {
    Held<PathRow> held = views.paths().held(id);
    return CompletableFuture.completedFuture(
        new ResourceAnswer.Items(held == null ? List.of() : List.of(item(id, held)), true));
  }

  private static ResourceItem item(String name, Held<PathRow> held) {
    PathStatus status = PathStatus.of(held.value());
    return new ResourceItem(
        name,
        held.version(),
        ResourceValues.builder()
            .texts("hops", texts(status.hops()))
            .texts("match", MatchText.format(status.flow().selector()))
            .whole("priority", status.flow().priority())
            .build(),
        ResourceValues.builder()
            .text("phase", status.phase().toLowerCase(Locale.ROOT))
            .texts("next", texts(status.next()))
            .whole("tag", status.tag())
            .whole("leftovers", status.leftovers())
            .build());
  }

  private static List<String> texts(List<Hop> hops) {
    return hops.stream()
        .map(hop -> HexFormat.of().toHexDigits(hop.dpid()) + "/" + hop.outPort())
        .toList();
  }

  @Override
  public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
    Held<PathRow> held = views.paths().held(change.id());
    ResourceResult outdated = outdated(change, held);
    if (outdated != null) {
      return now(outdated);
    }
    if (change instanceof ResourceChange.Remove) {
      return answer(change.id(), service.remove(change.id()));
    }
    ResourceValues fields =
        change instanceof ResourceChange.Add add
            ? add.fields()
            : ((ResourceChange.Set) change).fields();
    PathFlow flow;
    try {
      flow = new PathFlow(MatchText.parse(fields.texts("match")), (int) fields.whole("priority"));
    } catch (FlowTextException e) {
      return now(new ResourceResult.Invalid("match", e.error(), e.remedy()));
    } catch (IllegalArgumentException e) {
      return now(
          new ResourceResult.Invalid("match", String.valueOf(e.getMessage()), "leave that out"));
    }
    try {
      return answer(change.id(), service.change(change.id(), flow, hops(fields.texts("hops"))));
    } catch (IllegalArgumentException e) {
      return now(
          new ResourceResult.Invalid("hops", String.valueOf(e.getMessage()), "give other hops"));
    }
  }

  private static @Nullable ResourceResult outdated(
      ResourceChange change, @Nullable Held<PathRow> held) {
    if (change instanceof ResourceChange.Add) {
      return held == null ? null : new ResourceResult.Exists(held.version());
    }
    if (held == null) {
      return new ResourceResult.Missing();
    }
    long version =
        change instanceof ResourceChange.Set set
            ? set.version()
            : ((ResourceChange.Remove) change).version();
    return held.version() == version ? null : new ResourceResult.Outdated(held.version());
  }

  private static List<Hop> hops(List<String> texts) {
    List<Hop> hops = new ArrayList<>();
    for (String text : texts) {
      int at = text.indexOf('/');
      hops.add(
          new Hop(
              HexFormat.fromHexDigitsToLong(text.substring(0, at)),
              Long.parseLong(text.substring(at + 1))));
    }
    return hops;
  }

  private CompletableFuture<ResourceAnswer> answer(
      String name, CompletableFuture<PathOutcome> outcome) {
    return outcome
        .thenApply(done -> result(name, done))
        .completeOnTimeout(
            new ResourceAnswer.Refused(
                Reason.LATE,
                "the change of path " + name + " goes on, and takes longer",
                "see its phase: GET /api/v1/paths/" + name),
            PATIENCE_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private ResourceAnswer result(String name, PathOutcome done) {
    if (!done.done()) {
      return new ResourceAnswer.Changed(
          new ResourceResult.Conflict(
              "", "path " + name + " was not changed: " + done.why(), "see ./lockstep path list"));
    }
    Held<PathRow> held = views.paths().held(name);
    return new ResourceAnswer.Changed(new ResourceResult.Done(held == null ? 1 : held.version()));
  }

  private static CompletableFuture<ResourceAnswer> now(ResourceResult result) {
    return CompletableFuture.completedFuture(new ResourceAnswer.Changed(result));
  }
}
