package io.lockstep.deploy.admin;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Items and results of resources as JSON. Pure. */
final class ResourceJson {
  static final String ID = "id";
  static final String VERSION = "version";
  static final String STATE = "state";

  /** Nesting deeper than any field has; the reader refuses more before it fills the stack. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ResourceJson() {}

  /** The body of a {@code PUT}. */
  sealed interface ItemBody {
    /** An object; its values are not checked. */
    record Fields(Map<String, Object> values) implements ItemBody {}

    /** Something else. */
    record Broken(String error, String remedy) implements ItemBody {}
  }

  /** A resource as {@code /api/v1/resources} lists it. */
  record DescriptionBody(
      String name,
      String item,
      String shows,
      String id,
      List<String> changes,
      List<FieldBody> fields) {}

  /** A field of it. */
  record FieldBody(
      String name, String kind, String allowed, boolean required, @Nullable Object usual) {}

  /** All items. */
  record ItemsBody(List<Map<String, Object>> items, boolean complete) {}

  /** Whether the body of a request is JSON. */
  static boolean isJson(HttpFields headers) {
    String type = headers.get(HttpHeader.CONTENT_TYPE);
    return type != null
        && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
  }

  static ResourceResponse descriptions(Collection<ResourceOffer> offers) {
    return ResourceResponse.of(
        200,
        offers.stream()
            .map(offer -> description(offer.description()))
            .sorted(Comparator.comparing(DescriptionBody::name))
            .toList());
  }

  private static DescriptionBody description(ResourceDescription one) {
    return new DescriptionBody(
        one.name(),
        one.item(),
        one.help(),
        one.idAllowed(),
        one.changes().stream().map(change -> lower(change.name())).sorted().toList(),
        one.fields().stream().map(ResourceJson::field).toList());
  }

  private static FieldBody field(ResourceField field) {
    return new FieldBody(
        field.name(),
        lower(field.kind().name()),
        field.allowed(),
        field.isRequired(),
        field.usualValue());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static ItemBody parse(byte[] body) {
    try {
      Object read = JSON.readValue(body, Object.class);
      if (read instanceof Map<?, ?> map) {
        Map<String, Object> values = new LinkedHashMap<>();
        map.forEach((key, value) -> values.put(String.valueOf(key), value));
        return new ItemBody.Fields(values);
      }
      return new ItemBody.Broken("the body is no JSON object", "send {\"FIELD\": VALUE, ...}");
    } catch (JsonProcessingException e) {
      var place = e.getLocation();
      return new ItemBody.Broken(
          "the body is no JSON: "
              + (place == null
                  ? "it is empty"
                  : "line " + place.getLineNr() + ", column " + place.getColumnNr()),
          "send {\"FIELD\": VALUE, ...}, each field once");
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot be read", e);
    }
  }

  private static Map<String, Object> item(ResourceItem item) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put(ID, item.id());
    body.put(VERSION, item.version());
    body.putAll(item.fields().asMap());
    if (!item.state().asMap().isEmpty()) {
      body.put(STATE, item.state().asMap());
    }
    return body;
  }

  /**
   * The answer to a {@code GET}.
   *
   * @param id of the one item that was asked for; null for all
   */
  static ResourceResponse read(
      ResourceDescription description, @Nullable String id, ResourceAnswer answer) {
    if (answer instanceof ResourceAnswer.Refused refused) {
      return refused(refused);
    }
    if (!(answer instanceof ResourceAnswer.Items items)) {
      throw new IllegalStateException("no items: " + answer);
    }
    if (id == null) {
      return ResourceResponse.of(
          200,
          new ItemsBody(
              items.items().stream().map(ResourceJson::item).toList(), items.isComplete()));
    }
    if (items.items().isEmpty()) {
      return missing(description, id);
    }
    ResourceItem only = items.items().get(0);
    return ResourceResponse.of(200, item(only), only.version());
  }

  private static ResourceResponse missing(ResourceDescription description, String id) {
    return ResourceResponse.problem(
        404,
        "",
        "there is no " + description.item() + " " + id,
        "see ./lockstep resource " + description.item() + " list");
  }

  private static ResourceResponse refused(ResourceAnswer.Refused refused) {
    int status =
        switch (refused.reason()) {
          case NOT_NOW -> 503;
          case FAILED -> 500;
          case LATE -> 504;
        };
    return ResourceResponse.problem(status, "", refused.error(), refused.remedy());
  }

  /** The answer to a change. */
  static ResourceResponse changed(
      ResourceDescription description, ResourceChange change, ResourceAnswer answer) {
    if (answer instanceof ResourceAnswer.Refused refused) {
      return refused(refused);
    }
    if (!(answer instanceof ResourceAnswer.Changed changed)) {
      throw new IllegalStateException("no result: " + answer);
    }
    ResourceResult result = changed.result();
    String id = change.id();
    if (result instanceof ResourceResult.Done done) {
      boolean isNew = change instanceof ResourceChange.Add;
      ResourceResponse response =
          version(isNew ? 201 : 200, change, done.version()).due(changed.shown());
      return isNew
          ? response.with("Location", "/api/v1/" + description.name() + "/" + id)
          : response;
    } else if (result instanceof ResourceResult.Accepted accepted) {
      return version(202, change, accepted.version());
    } else if (result instanceof ResourceResult.Missing) {
      return missing(description, id);
    } else if (result instanceof ResourceResult.Exists exists) {
      return ResourceResponse.problem(
          412,
          "",
          "there is a " + description.item() + " " + id + " already",
          "show it, and set what is to be different; over HTTP with its ETag as If-Match",
          exists.version());
    } else if (result instanceof ResourceResult.Outdated outdated) {
      return ResourceResponse.problem(
          412,
          "",
          description.item() + " " + id + " was changed: it has version " + outdated.version(),
          "read it, and decide again",
          outdated.version());
    } else if (result instanceof ResourceResult.Conflict conflict) {
      return ResourceResponse.problem(409, conflict.field(), conflict.error(), conflict.remedy());
    }
    ResourceResult.Invalid invalid = (ResourceResult.Invalid) result;
    return ResourceResponse.problem(422, invalid.field(), invalid.error(), invalid.remedy());
  }

  private static ResourceResponse version(int status, ResourceChange change, long version) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put(ID, change.id());
    body.put(VERSION, version);
    ResourceResponse response = ResourceResponse.of(status, body);
    return change instanceof ResourceChange.Remove
        ? response
        : ResourceResponse.of(status, body, version);
  }
}
