package io.lockstep.core.noun;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Resource;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.TableRange;
import io.lockstep.core.app.TableSnapshot;
import io.lockstep.core.noun.NounAnswer.Refused;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Offers the resources of applications: reads the store or submits a change, and calls the
 * application ({@link ApplicationCalls}). Some requests may wait for their turn, so that operators
 * who work at the same time need not try again. Thread-safe.
 */
public final class ResourceRunner {
  /** Requests that may wait for their turn. */
  static final int MAX_WAITING = 16;

  /** Items of one answer at most. */
  static final int MAX_ITEMS = 10_000;

  /** Characters of all items of one answer at most. */
  static final int MAX_CHARS = 4 << 20;

  private final StoreAnswers store;
  private final Supplier<? extends NetworkView> network;
  private final NounRunner.Parts parts;
  private final ApplicationCalls calls;

  /**
   * A runner.
   *
   * @param failures counts resources that throw, are late or break their contract
   */
  public ResourceRunner(
      StoreClient store,
      Supplier<? extends NetworkView> network,
      ApplicationFailures failures,
      NounRunner.Parts parts) {
    this.store = new StoreAnswers(store);
    this.network = network;
    this.parts = parts;
    this.calls = new ApplicationCalls("resource", MAX_WAITING, failures, parts);
  }

  /** The resources of an application. */
  public List<ResourceOffer> offers(AskedApplication application) {
    return application.resources().stream()
        .<ResourceOffer>map(resource -> new Offer(application, resource, resource.description()))
        .toList();
  }

  private final class Offer implements ResourceOffer {
    private final AskedApplication application;
    private final Resource resource;
    private final ResourceDescription description;

    Offer(AskedApplication application, Resource resource, ResourceDescription description) {
      this.application = application;
      this.resource = resource;
      this.description = description;
    }

    @Override
    public ResourceDescription description() {
      return description;
    }

    @Override
    public CompletableFuture<ResourceAnswer> list() {
      return calls.call(application.name(), description.name(), () -> items(null), why -> no(why));
    }

    @Override
    public CompletableFuture<ResourceAnswer> show(String id) {
      return calls.call(application.name(), description.name(), () -> items(id), why -> no(why));
    }

    @Override
    public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
      AtomicBoolean isSubmitted = new AtomicBoolean();
      return calls.call(
          application.name(),
          description.name(),
          () -> changed(change, isSubmitted),
          why -> isSubmitted.get() ? unknown(change, why) : no(why));
    }

    private ResourceAnswer items(@Nullable String id) throws NoAnswer, InterruptedException {
      List<TableRange> ranges = List.copyOf(resource.reads(id));
      List<TableSnapshot> tables = store.read(application, ranges, Resource.MAX_RANGES);
      List<ResourceItem> items =
          resource.items(
              new NounInput(
                  id == null ? Map.of() : Map.of(Resource.ID, id),
                  application.configuration(),
                  network.get(),
                  tables,
                  parts.wallMillis().getAsLong()));
      if (items == null) {
        throw new IllegalStateException("shows nothing, not even no items");
      }
      boolean isComplete = tables.stream().allMatch(TableSnapshot::isComplete);
      return bounded(id, items, isComplete);
    }

    private ResourceAnswer changed(ResourceChange change, AtomicBoolean isSubmitted)
        throws InterruptedException {
      Command command;
      try {
        ResourceResult objection = resource.objection(change, network.get());
        if (objection != null) {
          return new ResourceAnswer.Changed(objection);
        }
        command = resource.command(change);
      } catch (IllegalArgumentException e) {
        return new ResourceAnswer.Changed(
            new ResourceResult.Invalid(
                "", String.valueOf(e.getMessage()), "change the fields, and try again"));
      }
      OwnTables.require(application.tables(), command);
      isSubmitted.set(true);
      Reply reply = store.submit(command);
      if (reply instanceof Reply.Unknown unknown) {
        return unknown(change, unknown.message());
      }
      if (reply instanceof Reply.Rejected rejected && !isForTheApplication(rejected.reason())) {
        return new ResourceAnswer.Refused(
            ResourceAnswer.Reason.NOT_NOW,
            "nothing was changed: " + ReplyWords.of(reply),
            "see ./lockstep status");
      }
      ResourceResult result = resource.result(change, reply);
      if (result == null) {
        throw new IllegalStateException("does not say what became of the change");
      }
      return new ResourceAnswer.Changed(result);
    }

    private ResourceAnswer unknown(ResourceChange change, Refused why) {
      return new ResourceAnswer.Refused(reason(why), unknownWords(why.error()), look(change));
    }

    private ResourceAnswer unknown(ResourceChange change, String why) {
      return new ResourceAnswer.Refused(
          ResourceAnswer.Reason.LATE, unknownWords(why), look(change));
    }

    private String look(ResourceChange change) {
      return "see ./lockstep " + description.item() + " show " + change.id();
    }
  }

  private static String unknownWords(String why) {
    return "whether it was changed is not known: " + why;
  }

  private static boolean isForTheApplication(Reply.Reason reason) {
    return reason == Reply.Reason.COMPONENT_REFUSED || reason == Reply.Reason.OUT_OF_BOUNDS;
  }

  private static ResourceAnswer bounded(
      @Nullable String id, List<ResourceItem> items, boolean isComplete) {
    Set<String> ids = new HashSet<>();
    List<ResourceItem> kept = new ArrayList<>();
    long chars = 0;
    for (ResourceItem item : items) {
      if (!ids.add(item.id()) || (id != null && !id.equals(item.id()))) {
        throw new IllegalStateException("shows '" + item.id() + "' twice or unasked");
      }
      chars += item.fields().toString().length() + item.state().toString().length();
      if (kept.size() == MAX_ITEMS || chars > MAX_CHARS) {
        return new ResourceAnswer.Items(kept, false);
      }
      kept.add(item);
    }
    return new ResourceAnswer.Items(kept, isComplete);
  }

  private static ResourceAnswer no(Refused why) {
    return new ResourceAnswer.Refused(reason(why), why.error(), why.remedy());
  }

  private static ResourceAnswer.Reason reason(Refused why) {
    return switch (why.reason()) {
      case UNKNOWN, WRONG_ARGUMENTS, BUSY, STORE -> ResourceAnswer.Reason.NOT_NOW;
      case FAILED -> ResourceAnswer.Reason.FAILED;
      case LATE -> ResourceAnswer.Reason.LATE;
    };
  }
}
