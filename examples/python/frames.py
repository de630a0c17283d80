#!/usr/bin/env python3
"""pandas and SQLAlchemy: reports as data frames, columns of frames as arrays.

    python frames.py postgresql+psycopg:///mydb

Creates the extension where it is not there, which takes a superuser, and makes
one temporary table.
"""
import sys

import numpy
import pandas
import sqlalchemy
from sqlalchemy import func, select

import gpuscan_numpy

engine = sqlalchemy.create_engine(
    sys.argv[1] if len(sys.argv) > 1 else "postgresql+psycopg://")


@sqlalchemy.event.listens_for(engine, "connect")
def connected(connection, _):
    gpuscan_numpy.register(connection)


trip = sqlalchemy.table("trip", *map(sqlalchemy.column, ["city", "minutes"]))

with engine.begin() as connection:
    connection.execute(sqlalchemy.text("CREATE EXTENSION IF NOT EXISTS gpuscan"))
    connection.execute(sqlalchemy.text(
        "CREATE TEMPORARY TABLE trip AS SELECT 'city ' || i % 3 AS city, i % 100 / 10.0::float8 AS minutes"
        " FROM generate_series(1, 30000) AS i"))

    # any function that SQLAlchemy does not know is made by its name
    report = (select(trip.columns.city, func.gpu_avg(trip.columns.minutes).label("mean"),
                     func.gpu_median(trip.columns.minutes).label("median"))
              .group_by(trip.columns.city).order_by(trip.columns.city))
    frame = pandas.read_sql(report, connection, index_col="city")
    print(frame)

    # a column of a frame goes to the server as an array
    frame = pandas.DataFrame({"reading": numpy.linspace(0, 1, 1001) ** 2})
    result = connection.execute(
        sqlalchemy.text("SELECT gpu_median(:readings)"),
        {"readings": frame["reading"].to_numpy()}).scalar_one()
    print("median", result)
    assert result == frame["reading"].median()

    # and an array comes back as a column: through a binary cursor
    cursor = connection.connection.driver_connection.cursor(binary=True)
    cursor.execute("SELECT gpu_moving_avg(%s, 9)", [frame["reading"].to_numpy()])
    frame["smooth"] = cursor.fetchone()[0]
    print(frame.tail(3))

    # NaN is not NULL, and a time is microseconds: say which you mean
    frame = pandas.DataFrame({"at": pandas.date_range("2026-01-01", periods=4, freq="h"),
                              "reading": [1.5, float("nan"), 2.5, 4.0]})
    readings = frame["reading"].to_numpy()
    nulls = numpy.ma.array(readings, mask=numpy.isnan(readings))
    for values in readings, nulls:
        print("mean", connection.execute(
            sqlalchemy.text("SELECT gpu_avg(:readings)"), {"readings": values}).scalar_one())
    print("last", connection.execute(
        sqlalchemy.text("SELECT gpu_max(:times)"), {"times": frame["at"].to_numpy()}).scalar_one())
