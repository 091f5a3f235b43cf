"""Ray Data: Arrow batches, on all workers of a cluster."""

import pyarrow as pa
import ray
import urivalidate as uv

FIELDS = ["valid", "host", "path"]


def with_components(table):
    parsed = pa.chunked_array(uv.parse_uri(table["url"], fields=FIELDS))
    for name, column in zip(FIELDS, pa.Table.from_struct_array(parsed).columns):
        table = table.append_column("url_" + name, column)
    return table


ray.init(num_cpus=2, include_dashboard=False)
urls = pa.table({"url": [f"http://example.com/{number}" for number in range(1000)] + ["no uri"]})
result = ray.data.from_arrow(urls).repartition(4).map_batches(with_components, batch_format="pyarrow")
rows = result.take_all()
print(len(rows), "rows,", rows[0])
assert sum(row["url_valid"] for row in rows) == 1000
assert {row["url_host"] for row in rows} == {"example.com", None}
ray.shutdown()
