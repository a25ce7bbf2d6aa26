package io.lockstep.deploy.admin;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.resource.CheckedFields;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.admin.ResourceJson.ItemBody;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import io.lockstep.store.logging.FailureLog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /api/v1/NAME} and {@code /api/v1/NAME/ID} for each resource that is offered. A
 * change names the version that it was decided on (RFC 9110 section 13.1), so of two operators who
 * change one item at once, the second hears of the first. No thread waits for an answer.
 * Thread-safe.
 */
final class ResourceRequests {
  /** Lists all resources with their fields. */
  static final String PATH = "/api/v1/resources";

  private static final String ROOT = "/api/v1/";

  private static final String NODES = "nodes";

  private static final String DRAINS = "drains";

  /**
   * Resources whose ids are those of nodes. Only these have a path below that of the node, as
   * {@code /api/v1/nodes/ID/drain}: users and others have none, since roles go by paths.
   */
  private static final Map<String, String> BELOW_NODES =
      Map.of("drain", DRAINS, "replacement", "replacements");

  private static final FailureLog failures = FailureLog.of(ResourceRequests.class);

  /** By path: names of collections, or {@code nodes/drain}. */
  private volatile Map<String, ResourceOffer> offers = Map.of();

  /** Answers for these, too. */
  synchronized void offer(List<ResourceOffer> more) {
    Map<String, ResourceOffer> next = new LinkedHashMap<>(offers);
    for (ResourceOffer offer : more) {
      if (next.put(offer.description().name(), offer) != null) {
        throw new IllegalStateException(
            "the resource '" + offer.description().name() + "' is offered twice");
      }
    }
    offers = Map.copyOf(next);
  }

  /** The paths of collections and items, for the list of all paths. */
  List<String> paths() {
    return offers.keySet().stream()
        .sorted()
        .flatMap(
            name ->
                name.equals(DRAINS)
                    ? Stream.of(ROOT + name, ROOT + name + "/ID", ROOT + NODES + "/ID/drain")
                    : Stream.of(ROOT + name, ROOT + name + "/ID"))
        .toList();
  }

  /** What a path names: a collection, or an item of it. */
  private record Place(ResourceOffer offer, @Nullable String id) {}

  /** Whether {@link #handle} answers this path. */
  boolean has(String path) {
    return path.equals(PATH) || place(path) != null;
  }

  private @Nullable Place place(String path) {
    if (!path.startsWith(ROOT)) {
      return null;
    }
    String[] parts = path.substring(ROOT.length()).split("/", -1);
    if (parts.length == 3 && parts[0].equals(NODES)) {
      ResourceOffer below = offers.get(BELOW_NODES.getOrDefault(parts[2], ""));
      return below == null ? null : new Place(below, parts[1]);
    }
    ResourceOffer offer = offers.get(parts[0]);
    if (offer == null || parts.length > 2) {
      return null;
    }
    return new Place(offer, parts.length == 2 ? parts[1] : null);
  }

  /**
   * Answers, perhaps later.
   *
   * @param callback fails where the connection ends before the body does; {@code answer} completes
   *     it else
   */
  void handle(Request request, Callback callback, Consumer<ResourceResponse> answer) {
    String path = Request.getPathInContext(request);
    String method = request.getMethod();
    boolean reads = HttpMethod.GET.is(method) || HttpMethod.HEAD.is(method);
    if (path.equals(PATH)) {
      answer.accept(
          reads ? ResourceJson.descriptions(offers.values()) : ResourceResponse.notAllowed("GET"));
      return;
    }
    Place place = place(path);
    if (place == null) {
      answer.accept(ResourceResponse.problem(404, "", "no such path", "see " + PATH));
    } else if (place.id() != null && !place.offer().description().allowsId(place.id())) {
      ResourceDescription description = place.offer().description();
      answer.accept(
          ResourceResponse.problem(
              reads || HttpMethod.DELETE.is(method) ? 404 : 422,
              "id",
              "'" + Shown.text(place.id()) + "' is no " + description.item(),
              "give " + description.idAllowed()));
    } else if (reads) {
      read(place, answer);
    } else {
      change(place, request, callback, answer);
    }
  }

  private static void read(Place place, Consumer<ResourceResponse> answer) {
    String id = place.id();
    ResourceDescription description = place.offer().description();
    CompletableFuture<ResourceAnswer> asked =
        id == null ? place.offer().list() : place.offer().show(id);
    then(description, asked, read -> ResourceJson.read(description, id, read), answer);
  }

  private static void then(
      ResourceDescription description,
      CompletableFuture<ResourceAnswer> asked,
      Function<ResourceAnswer, ResourceResponse> respond,
      Consumer<ResourceResponse> answer) {
    failures.handle(
        description.name(),
        "the answer",
        asked,
        (done, failure) ->
            answer.accept(
                failure == null
                    ? respond.apply(done)
                    : ResourceResponse.problem(
                        500, "", "the node failed: " + failure, "see its log")));
  }

  private static void change(
      Place place, Request request, Callback callback, Consumer<ResourceResponse> answer) {
    ResourceDescription description = place.offer().description();
    boolean puts = HttpMethod.PUT.is(request.getMethod());
    String allow = allow(place);
    boolean removes = HttpMethod.DELETE.is(request.getMethod());
    if (place.id() == null && HttpMethod.POST.is(request.getMethod()) && allow.contains("POST")) {
      add(place.offer(), request, callback, answer);
      return;
    }
    if (place.id() == null || !(puts || removes)) {
      answer.accept(ResourceResponse.notAllowed(allow));
      return;
    }
    Precondition condition = Precondition.of(request.getHeaders());
    ResourceResponse refused = refusal(description, place.id(), condition, puts, allow);
    if (refused == null && puts && !ResourceJson.isJson(request.getHeaders())) {
      refused = noJson();
    }
    if (refused != null) {
      answer.accept(refused);
    } else if (removes) {
      long version = ((Precondition.Version) condition).version();
      submit(place.offer(), new ResourceChange.Remove(place.id(), version), answer);
    } else {
      String id = place.id();
      new FileUpload(
              request, callback, upload -> answer(place.offer(), id, condition, upload, answer))
          .run();
    }
  }

  /** Makes an item whose id is in the body; the same as {@code PUT} with If-None-Match. */
  private static void add(
      ResourceOffer offer, Request request, Callback callback, Consumer<ResourceResponse> answer) {
    if (!ResourceJson.isJson(request.getHeaders())) {
      answer.accept(noJson());
      return;
    }
    new FileUpload(
            request,
            callback,
            upload -> {
              ItemBody body =
                  upload instanceof FileUpload.Upload.Complete complete
                      ? ResourceJson.parse(complete.file())
                      : null;
              ResourceDescription description = offer.description();
              if (!(body instanceof ItemBody.Fields fields)) {
                answer(offer, "", new Precondition.None(), upload, answer); // refuses it
              } else if (fields.values().get(ResourceJson.ID) instanceof String id
                  && description.allowsId(id)) {
                answer(offer, id, new Precondition.None(), upload, answer);
              } else {
                Object id = fields.values().get(ResourceJson.ID);
                answer.accept(
                    ResourceResponse.problem(
                        422,
                        ResourceJson.ID,
                        id == null
                            ? "id is missing"
                            : "'" + Shown.text(id.toString()) + "' is no " + description.item(),
                        "give " + description.idAllowed()));
              }
            })
        .run();
  }

  private static ResourceResponse noJson() {
    return ResourceResponse.problem(
        415, "", "the body is no application/json", "send Content-Type: application/json");
  }

  private static String allow(Place place) {
    Set<Change> changes = place.offer().description().changes();
    boolean puts = changes.contains(Change.ADD) || changes.contains(Change.SET);
    return "GET, HEAD"
        + (place.id() == null && changes.contains(Change.ADD) ? ", POST" : "")
        + (place.id() != null && puts ? ", PUT" : "")
        + (place.id() != null && changes.contains(Change.REMOVE) ? ", DELETE" : "");
  }

  /** What is wrong with the request, apart from its body. */
  private static @Nullable ResourceResponse refusal(
      ResourceDescription description,
      String id,
      Precondition condition,
      boolean puts,
      String allow) {
    if (condition instanceof Precondition.Malformed malformed) {
      return ResourceResponse.problem(400, "", malformed.error(), malformed.remedy());
    }
    boolean adds = condition instanceof Precondition.None;
    Change change = !puts ? Change.REMOVE : adds ? Change.ADD : Change.SET;
    boolean isMissing = condition instanceof Precondition.Missing;
    boolean canPut =
        description.changes().contains(Change.ADD) || description.changes().contains(Change.SET);
    boolean offered = (isMissing && puts) ? canPut : description.changes().contains(change);
    if (!offered) {
      return ResourceResponse.notAllowed(allow);
    }
    if (isMissing || (adds && !puts)) {
      return ResourceResponse.problem(
          428,
          "",
          "the request does not say which version of " + id + " it was decided on",
          "read it, and send its ETag as If-Match"
              + (puts ? "; to make a new one, send If-None-Match: *" : ""));
    }
    return null;
  }

  private static void answer(
      ResourceOffer offer,
      String id,
      Precondition condition,
      FileUpload.Upload upload,
      Consumer<ResourceResponse> answer) {
    if (!(upload instanceof FileUpload.Upload.Complete complete)) {
      answer.accept(
          ResourceResponse.problem(
              413,
              "",
              "more than " + DomainDoor.MAX_FILE_BYTES + " bytes",
              "send the fields of one item"));
      return;
    }
    ItemBody body = ResourceJson.parse(complete.file());
    if (body instanceof ItemBody.Broken broken) {
      answer.accept(ResourceResponse.problem(400, "", broken.error(), broken.remedy()));
      return;
    }
    Map<String, Object> given = new LinkedHashMap<>(((ItemBody.Fields) body).values());
    ResourceResponse wrong = readOnly(id, condition, given);
    if (wrong != null) {
      answer.accept(wrong);
      return;
    }
    CheckedFields checked = CheckedFields.of(offer.description(), given);
    if (checked instanceof CheckedFields.Wrong one) {
      answer.accept(
          ResourceResponse.problem(
              422, one.problem().field(), one.problem().error(), one.problem().remedy()));
      return;
    }
    var values = ((CheckedFields.Sound) checked).values();
    submit(
        offer,
        condition instanceof Precondition.Version version
            ? new ResourceChange.Set(id, version.version(), values)
            : new ResourceChange.Add(id, values),
        answer);
  }

  /** Takes out what a client that sends back what it read has in it; it may not differ. */
  private static @Nullable ResourceResponse readOnly(
      String id, Precondition condition, Map<String, Object> given) {
    Object sameId = given.remove(ResourceJson.ID);
    Object sameVersion = given.remove(ResourceJson.VERSION);
    given.remove(ResourceJson.STATE);
    if (sameId != null && !sameId.equals(id)) {
      return ResourceResponse.problem(
          422, ResourceJson.ID, "the path and the body name two items", "leave out id in the body");
    }
    boolean isOther =
        condition instanceof Precondition.Version version
            && sameVersion instanceof Number number
            && number.longValue() != version.version();
    return isOther
        ? ResourceResponse.problem(
            422,
            ResourceJson.VERSION,
            "If-Match and the body name two versions",
            "leave out version in the body")
        : null;
  }

  private static void submit(
      ResourceOffer offer, ResourceChange change, Consumer<ResourceResponse> answer) {
    ResourceDescription description = offer.description();
    then(
        description,
        offer.change(change),
        done -> ResourceJson.changed(description, change, done),
        answer);
  }
}
