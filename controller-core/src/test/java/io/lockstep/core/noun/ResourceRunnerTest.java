package io.lockstep.core.noun;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Resource;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.app.TableRange;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceAnswer.Reason;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.testing.SampleResource;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResourceRunnerTest {
  private static final Entry ENTRY = new Entry(Bytes.utf8("a/"), Bytes.utf8("5"), 7);
  private static final ResourceValues RATE = ResourceValues.builder().whole("rate", 9).build();
  private static final ResourceChange SET = new ResourceChange.Set("a", 7, RATE);

  private final ManualTime time = new ManualTime();
  private final ApplicationFailures failures = new ApplicationFailures(time::millis);
  private final List<Command> asked = new ArrayList<>();
  private final Queue<Runnable> held = new ArrayDeque<>();
  private boolean holds;
  private Function<Command, Reply> store = command -> new Reply.Entries(List.of(ENTRY), false);

  /** The sample with one method that misbehaves. */
  private static class Bad implements Resource {
    private final Resource good = new SampleResource();

    @Override
    public ResourceDescription description() {
      return good.description();
    }

    @Override
    public List<TableRange> reads(@Nullable String id) {
      return good.reads(id);
    }

    @Override
    public List<ResourceItem> items(NounInput input) {
      return good.items(input);
    }

    @Override
    public Command command(ResourceChange change) {
      return good.command(change);
    }

    @Override
    public ResourceResult result(ResourceChange change, Reply reply) {
      return good.result(change, reply);
    }
  }

  private final class AnsweringStore implements StoreClient {
    @Override
    public CompletableFuture<Reply> submit(Command command) {
      asked.add(command);
      return CompletableFuture.completedFuture(store.apply(command));
    }

    @Override
    public SessionState session() {
      return new SessionState(1, Long.MAX_VALUE);
    }

    @Override
    public void onSessionChange(SessionListener listener) {}

    @Override
    public void close() {}
  }

  private ResourceOffer offer(Resource resource) {
    ResourceRunner runner =
        new ResourceRunner(
            new AnsweringStore(),
            () -> NetworkPicture.UNKNOWN,
            failures,
            new NounRunner.Parts(
                task -> {
                  if (holds) {
                    held.add(task);
                  } else {
                    task.run();
                  }
                },
                time,
                time::nanos,
                time::millis));
    AskedApplication application =
        new AskedApplication(
            "app",
            ApplicationConfiguration.usual(List.of()),
            Set.of(SampleResource.TABLE),
            List.of(),
            List.of(resource));
    return runner.offers(application).get(0);
  }

  private static ResourceAnswer done(CompletableFuture<ResourceAnswer> answer) {
    assertThat(answer).isDone();
    return answer.join();
  }

  private static ResourceAnswer.Refused refused(ResourceAnswer answer, Reason reason) {
    assertThat(answer).isInstanceOf(ResourceAnswer.Refused.class);
    ResourceAnswer.Refused refused = (ResourceAnswer.Refused) answer;
    assertThat(refused.reason()).as(refused.error()).isEqualTo(reason);
    assertThat(refused.remedy()).isNotBlank();
    return refused;
  }

  @Test
  void itemsAreReadFromTheStore() {
    ResourceOffer offer = offer(new SampleResource());
    ResourceItem item =
        new ResourceItem(
            "a", 7, ResourceValues.builder().whole("rate", 5).build(), ResourceValues.NONE);
    assertThat(done(offer.list())).isEqualTo(new ResourceAnswer.Items(List.of(item), true));
    assertThat(done(offer.show("a"))).isEqualTo(new ResourceAnswer.Items(List.of(item), true));
    assertThat(asked)
        .containsExactly(
            new Command.Scan(SampleResource.TABLE, Bytes.empty(), null, 10_000),
            new Command.Scan(SampleResource.TABLE, Bytes.utf8("a/"), Bytes.utf8("a0"), 10_000));
  }

  @Test
  void aChangeIsOneCommandWithTheVersionThatItWasDecidedOn() {
    ResourceOffer offer = offer(new SampleResource());
    store = command -> new Reply.Applied(8);
    assertThat(done(offer.change(SET)))
        .isEqualTo(new ResourceAnswer.Changed(new ResourceResult.Done(8)));
    assertThat(asked)
        .containsExactly(
            new Command.Replace(SampleResource.TABLE, Bytes.utf8("a/"), 7, Bytes.utf8("9")));
    store = command -> new Reply.Conflict(ENTRY.value(), 9);
    assertThat(done(offer.change(SET)))
        .isEqualTo(new ResourceAnswer.Changed(new ResourceResult.Outdated(9)));
    store = command -> new Reply.Absent();
    assertThat(done(offer.change(new ResourceChange.Remove("a", 7))))
        .isEqualTo(new ResourceAnswer.Changed(new ResourceResult.Missing()));
  }

  @Test
  void fieldsThatDoNotFitTogetherAreRefusedBeforeTheStoreIsAsked() {
    ResourceValues unlucky = ResourceValues.builder().whole("rate", 13).build();
    ResourceAnswer answer =
        done(offer(new SampleResource()).change(new ResourceChange.Set("a", 7, unlucky)));
    assertThat(answer)
        .isEqualTo(
            new ResourceAnswer.Changed(
                new ResourceResult.Invalid(
                    "", "13 brings bad luck", "change the fields, and try again")));
    assertThat(asked).isEmpty();
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void anOutcomeThatIsNotKnownIsSaidSo() {
    ResourceOffer offer = offer(new SampleResource());
    store = command -> new Reply.Unknown("no quorum");
    assertThat(refused(done(offer.change(SET)), Reason.LATE))
        .extracting(ResourceAnswer.Refused::error, ResourceAnswer.Refused::remedy)
        .containsExactly(
            "whether it was changed is not known: no quorum", "see ./lockstep limit show a");
    store = command -> new Reply.Rejected(Reply.Reason.NO_ROOM, "the state is full");
    assertThat(refused(done(offer.change(SET)), Reason.NOT_NOW).error())
        .startsWith("nothing was changed: ");
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void anApplicationThatFailsAfterTheCommandIsNotTakenForOneThatChangedNothing() {
    store = command -> new Reply.Applied(8);
    Resource fails =
        new Bad() {
          @Override
          public ResourceResult result(ResourceChange change, Reply reply) {
            throw new IllegalStateException("no luck");
          }
        };
    assertThat(refused(done(offer(fails).change(SET)), Reason.FAILED).error())
        .startsWith("whether it was changed is not known: limits failed: ")
        .contains("no luck");
    assertThat(failures.all()).singleElement().satisfies(one -> assertThat(one.count()).isOne());
  }

  @Test
  void commandsOutsideOfTheOwnTablesAreNotSubmitted() {
    for (Command command :
        List.of(
            new Command.Put("mastership.domains", Bytes.utf8("west"), Bytes.empty()),
            new Command.CloseSession(3),
            new Command.Get(SampleResource.TABLE, Bytes.utf8("a/")),
            new Command.Batch(
                List.of(new Command.Guard("cluster.nodes", Bytes.utf8("n1"), 0)), List.of()),
            new Command.Batch(
                List.of(), List.of(new Command.Remove("cluster.nodes", Bytes.utf8("n1")))))) {
      Resource greedy =
          new Bad() {
            @Override
            public Command command(ResourceChange change) {
              return command;
            }
          };
      assertThat(refused(done(offer(greedy).change(SET)), Reason.FAILED).error())
          .as("%s", command)
          .startsWith("limits failed: ");
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void itemsThatBreakTheContractAreAFailureAndTooManyAreCut() {
    Function<String, ResourceItem> item = id -> new ResourceItem(id, 1, RATE, ResourceValues.NONE);
    Resource twice =
        new Bad() {
          @Override
          public List<ResourceItem> items(NounInput input) {
            return List.of(item.apply("a"), item.apply("a"));
          }
        };
    refused(done(offer(twice).list()), Reason.FAILED);
    Resource other =
        new Bad() {
          @Override
          public List<ResourceItem> items(NounInput input) {
            return List.of(item.apply("b"));
          }
        };
    refused(done(offer(other).show("a")), Reason.FAILED);
    Resource many =
        new Bad() {
          @Override
          public List<ResourceItem> items(NounInput input) {
            return IntStream.rangeClosed(0, ResourceRunner.MAX_ITEMS)
                .mapToObj(i -> item.apply("i" + i))
                .toList();
          }
        };
    assertThat(done(offer(many).list()))
        .isInstanceOfSatisfying(
            ResourceAnswer.Items.class,
            items -> {
              assertThat(items.items()).hasSize(ResourceRunner.MAX_ITEMS);
              assertThat(items.isComplete()).isFalse();
            });
  }

  @Test
  void requestsWaitForTheirTurnWithinBoundsAndInTime() {
    holds = true;
    ResourceOffer offer = offer(new SampleResource());
    CompletableFuture<ResourceAnswer> first = offer.list();
    List<CompletableFuture<ResourceAnswer>> waiting = new ArrayList<>();
    for (int i = 0; i < ResourceRunner.MAX_WAITING; i++) {
      waiting.add(offer.list());
    }
    assertThat(refused(done(offer.list()), Reason.NOT_NOW).error())
        .isEqualTo("the node answers another question");
    held.remove().run();
    assertThat(done(first)).isInstanceOf(ResourceAnswer.Items.class);
    assertThat(waiting.get(0)).isNotDone();
    held.remove().run();
    assertThat(done(waiting.get(0))).isInstanceOf(ResourceAnswer.Items.class);
    time.pass(NounRunner.DEADLINE_MILLIS);
    assertThat(refused(done(waiting.get(1)), Reason.LATE).error()).contains("within 10000 ms");
    assertThat(refused(done(waiting.get(2)), Reason.NOT_NOW).remedy()).contains("another node");
    assertThat(waiting).allMatch(CompletableFuture::isDone);
    assertThat(failures.all()).singleElement().satisfies(one -> assertThat(one.count()).isOne());
    assertThat(refused(done(offer.list()), Reason.NOT_NOW).error()).contains("has not ended");
    held.remove().run();
    holds = false;
    assertThat(done(offer.list())).isInstanceOf(ResourceAnswer.Items.class);
  }
}
